/**
 * A room to talk in, by WebSocket, on however many loops: what somebody says on one loop reaches
 * the people on all of them.
 *
 * <p>Start at {@link chat.Chat}. {@link chat.ChatHandler} is one loop's part of the room and
 * {@link chat.ChatPage} what a browser shows of it. It knows the host only by {@code m0.app},
 * {@code m0.http} and {@code m0.stream}.
 */
package chat;
