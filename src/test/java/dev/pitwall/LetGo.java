package dev.pitwall;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What a test class has in static fields is let go when the class has ended. All classes run in one process, which keeps
 * them and so their fields to its end: forty closed labs, each with a world and a cluster, would leave the later classes no
 * memory but what one collection after the other finds, while everything stands still.
 */
public final class LetGo implements AfterAllCallback {

    @Override
    public void afterAll(ExtensionContext context) throws IllegalAccessException {
        Optional<Class<?>> type = context.getTestClass();
        if (type.isPresent()) {
            for (Field field : type.get().getDeclaredFields()) {
                if (isVariable(field)) {
                    field.setAccessible(true);
                    field.set(null, null);
                }
            }
        }
    }

    private static boolean isVariable(Field field) {
        int modifiers = field.getModifiers();
        return Modifier.isStatic(modifiers) && !Modifier.isFinal(modifiers) && !field.getType().isPrimitive()
                && !field.isSynthetic();
    }
}
