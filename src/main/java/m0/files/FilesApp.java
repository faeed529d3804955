package m0.files;

import java.io.IOException;
import m0.app.App;
import m0.app.AppHandler;
import m0.app.HostContext;
import m0.http.Response;

/**
 * A directory as an application of its own, under the prefix that it is mounted at, or the root.
 *
 * <p>It answers in {@code handle}, so on the lane where there is one: there a path is followed. The loop
 * opens the file and sends its bytes either way, and waits for what the file system has not at hand.
 *
 * <p>Threads: any; a handler keeps nothing. Errors: {@link #make} throws where the root is none.
 */
public final class FilesApp implements App {
    private final FilesConfig config;

    public FilesApp(FilesConfig config) {
        this.config = config;
    }

    @Override
    public boolean handlerShared() {
        return true;
    }

    @Override
    public AppHandler make(HostContext context) throws IOException {
        var files = new StaticFiles(context.prefix(), config);
        return request -> {
            Response answer = files.answer(request);
            return answer == null ? StaticFiles.NOT_FOUND : answer;
        };
    }
}
