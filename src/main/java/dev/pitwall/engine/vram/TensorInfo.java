package dev.pitwall.engine.vram;

import java.util.List;

/**
 * One tensor of a file, without its data.
 *
 * @param shape elements by dimension, the first one runs fastest
 */
public record TensorInfo(String name, TensorType type, List<Long> shape) {

    public TensorInfo {
        shape = List.copyOf(shape);
    }

    public long elements() {
        return shape.stream().reduce(1L, Math::multiplyExact);
    }

    public long bytes() {
        return type.bytes(elements());
    }
}
