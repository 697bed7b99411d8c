package dev.pitwall.engine.vram;

/**
 * How the numbers of a tensor are stored: in blocks.
 *
 * @param id       its number in GGUF files
 * @param elements of a block
 * @param blockBytes of a block
 * @param instead    the type that is taken where a row is not made of whole blocks
 */
public record TensorType(int id, String name, int elements, int blockBytes, String instead) {

    public long bytes(long values) {
        return Math.multiplyExact(Math.ceilDiv(values, elements), (long) blockBytes);
    }

    boolean fits(long row) {
        return row % elements == 0;
    }

    /** Bits a value. */
    public double bits() {
        return 8.0 * blockBytes / elements;
    }
}
