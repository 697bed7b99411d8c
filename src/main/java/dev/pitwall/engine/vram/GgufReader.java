package dev.pitwall.engine.vram;

import dev.pitwall.card.TroubleException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the head of a GGUF file of version 2 or 3: keys and what tensors there are, not their data (ggml's docs/gguf.md). Of long
 * arrays only the length is kept.
 */
final class GgufReader {
    private static final int ALIGNMENT = 32;
    private static final int MOST_DIMENSIONS = 4;
    private static final long MOST_ENTRIES = 1 << 20;
    /** Layers are at most 512 (LLAMA_MAX_LAYERS); longer arrays belong to the vocabulary. */
    private static final long KEPT_ENTRIES = 1024;

    private final Quantisations quantisations;

    GgufReader(Quantisations quantisations) {
        this.quantisations = quantisations;
    }

    /** @throws TroubleException in one sentence with the offset, if the head is cut or cannot be understood */
    GgufFile read(GgufInput in) throws TroubleException, IOException {
        int version = version(in);
        long tensors = count(in, "tensors");
        long pairs = count(in, "keys");
        Map<String, Metadata.Value> keys = new LinkedHashMap<>();
        for (long i = 0; i < pairs; i++) {
            String key = in.text("the name of key " + (i + 1) + " of " + pairs);
            keys.put(key, value(in, in.number("the type of " + key), "the value of " + key));
        }
        Metadata metadata = new Metadata(keys);
        return tensors(in, version, metadata, tensors, Math.max(1, metadata.number("general.alignment").orElse(ALIGNMENT)));
    }

    private static int version(GgufInput in) throws TroubleException, IOException {
        int version = in.number("the version");
        if (version == 1) {
            throw in.trouble("this is GGUF version 1, which llama.cpp does not load any more", "Convert the model again.");
        }
        if (version < 0 || version > 0xffff) {
            throw in.trouble("this GGUF file is for big-endian machines", "Get the usual, little-endian file.");
        }
        if (version > 3 || version == 0) {
            throw in.trouble("this is GGUF version " + version + "; 2 and 3 are known", "Look for a newer Pitwall.");
        }
        return version;
    }

    private static long count(GgufInput in, String what) throws TroubleException, IOException {
        long count = in.longNumber("the number of " + what);
        if (count < 0 || count > MOST_ENTRIES) {
            throw in.trouble("the file names " + Long.toUnsignedString(count) + " " + what + ", which cannot be",
                    "Download the file again.");
        }
        return count;
    }

    private Metadata.Value value(GgufInput in, int type, String where) throws TroubleException, IOException {
        GgufType known = GgufType.of(type).orElseThrow(() -> in.trouble(where + " has the unknown type " + type,
                "Download the file again, or look for a newer Pitwall."));
        return switch (known) {
            case TEXT -> new Metadata.Text(in.text(where));
            case ARRAY -> array(in, where);
            default -> new Metadata.Number(in.scalar(known, where));
        };
    }

    private Metadata.Value array(GgufInput in, String where) throws TroubleException, IOException {
        int type = in.number(where);
        long length = in.longNumber(where);
        GgufType known = GgufType.of(type).filter(t -> t != GgufType.ARRAY).orElseThrow(() -> in.trouble(
                where + " is an array of the unknown type " + type, "Download the file again, or look for a newer Pitwall."));
        if (length < 0) {
            throw in.trouble(where + " has an impossible length", "Download the file again.");
        }
        if (known == GgufType.TEXT) {
            for (long i = 0; i < length; i++) {
                in.skip(in.longNumber(where), where);
            }
            return new Metadata.Length(length);
        }
        if (length > KEPT_ENTRIES) {
            in.skip(Math.multiplyExact(length, (long) known.bytes()), where);
            return new Metadata.Length(length);
        }
        List<Double> values = new ArrayList<>();
        for (long i = 0; i < length; i++) {
            values.add(in.scalar(known, where));
        }
        return new Metadata.Numbers(values);
    }

    private GgufFile tensors(GgufInput in, int version, Metadata keys, long count, long alignment) throws TroubleException, IOException {
        List<TensorInfo> tensors = new ArrayList<>();
        long end = 0;
        for (long i = 0; i < count; i++) {
            String where = "tensor " + (i + 1) + " of " + count;
            TensorInfo tensor = tensor(in, where);
            long offset = count(in.longNumber("the place of " + where), in, tensor.name());
            tensors.add(tensor);
            end = Math.max(end, offset + tensor.bytes());
        }
        long start = Math.ceilDiv(in.offset(), alignment) * alignment;
        return new GgufFile(version, keys, tensors, start, count == 0 ? in.offset() : start + end);
    }

    private static long count(long unsigned, GgufInput in, String name) throws TroubleException {
        if (unsigned < 0) {
            throw in.trouble(name + " has an impossible size or place", "Download the file again.");
        }
        return unsigned;
    }

    private TensorInfo tensor(GgufInput in, String where) throws TroubleException, IOException {
        String name = in.text("the name of " + where);
        int dimensions = in.number("the shape of " + name);
        if (dimensions < 0 || dimensions > MOST_DIMENSIONS) {
            throw in.trouble(name + " has " + Integer.toUnsignedString(dimensions) + " dimensions, which cannot be", "Download the file again.");
        }
        List<Long> shape = new ArrayList<>();
        for (int i = 0; i < dimensions; i++) {
            shape.add(count(in.longNumber("the shape of " + name), in, name));
        }
        int type = in.number("the type of " + name);
        TensorInfo tensor = new TensorInfo(name, quantisations.tensor(type).orElseThrow(() -> in.trouble(name + " has the unknown type "
                + type, "Look for a newer Pitwall: how large such a tensor is, this one does not know.")), shape);
        try {
            tensor.bytes();
        } catch (ArithmeticException e) {
            throw in.trouble(name + " has an impossible size", "Download the file again.");
        }
        return tensor;
    }
}
