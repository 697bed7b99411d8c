package dev.pitwall.engine.vram;

/**
 * How a whole file is quantised.
 *
 * @param id        {@code general.file_type}
 * @param bits      a weight of the layers, on average
 * @param embedding of the token embedding
 * @param output    of the output, and of an embedding that is the output too
 */
public record FileType(int id, String name, double bits, TensorType embedding, TensorType output) {
}
