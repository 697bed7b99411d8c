package dev.pitwall.engine.vram;

import java.util.List;

/**
 * The head of a GGUF file.
 *
 * @param dataStart where the tensors' data begin, in bytes
 * @param dataEnd   where they end by what the head says
 */
record GgufFile(int version, Metadata keys, List<TensorInfo> tensors, long dataStart, long dataEnd) {
    GgufFile {
        tensors = List.copyOf(tensors);
    }
}
