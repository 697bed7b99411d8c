package dev.pitwall.lab.kube.schema;

import java.util.function.Supplier;

/** A value that is made when it is first asked for. */
final class Lazy<T> implements Supplier<T> {
    private final Supplier<T> maker;
    private volatile T value;

    Lazy(Supplier<T> maker) {
        this.maker = maker;
    }

    @Override
    public T get() {
        T found = value;
        if (found == null) {
            // Made twice at worst, and then equal.
            found = maker.get();
            value = found;
        }
        return found;
    }
}
