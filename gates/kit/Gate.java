package kit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a class of gates: its failures quote the servers' logs, its servers end with it, and a
 * method that does not come to an end by itself is interrupted.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(GateLife.class)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
public @interface Gate {
}
