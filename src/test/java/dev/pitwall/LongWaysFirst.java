package dev.pitwall;

import java.util.Comparator;
import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;

/**
 * The tests that go the longest ways stand in the outer packages: they begin, and what takes milliseconds fills the time
 * that is left. A long one that began last would run alone.
 */
public final class LongWaysFirst implements ClassOrderer {

    @Override
    public void orderClasses(ClassOrdererContext context) {
        context.getClassDescriptors().sort(Comparator.comparingInt(LongWaysFirst::depth));
    }

    private static int depth(ClassDescriptor test) {
        return test.getTestClass().getPackageName().split("[.]").length;
    }
}
