package dev.pitwall.engine.vram;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** A model in GGUF files: its own, the other parts of a split one, and a projector that lies beside it. */
final class GgufModel {
    private static final int BUFFER = 1 << 16;
    private static final int MAGIC = 4;

    private final GgufReader reader;

    GgufModel(GgufReader reader) {
        this.reader = reader;
    }

    ModelFacts read(Path file) throws TroubleException {
        GgufFile head = head(file);
        refuseOthers(file, head.keys());
        List<String> remarks = new ArrayList<>();
        cutData(file, head).ifPresent(remarks::add);
        ModelFacts.Tensors tensors = tensors(file, head, remarks);
        ModelFacts model = new ModelFacts(head.keys().text("general.name").orElse(plainName(file)), head.keys(),
                tensors, new ModelFacts.NoProjector(), ModelFacts.Stated.NOTHING,
                missingLayers(head.keys(), tensors).stream().toList(), remarks);
        return withProjector(file, model);
    }

    private static String plainName(Path file) {
        return GgufParts.of(file).map(GgufParts::base).orElse(file.getFileName().toString().replaceFirst("\\.gguf$", ""));
    }

    private GgufFile head(Path file) throws TroubleException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER)) {
            GgufInput input = new GgufInput(file.toString(), in);
            input.skip(MAGIC, "the mark of a GGUF file");
            return reader.read(input);
        } catch (IOException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, file.toString(), "the file cannot be read",
                    "Check the disk or the share it is on."), e);
        }
    }

    private static void refuseOthers(Path file, Metadata keys) throws TroubleException {
        if (keys.architecture().equals("clip") || keys.text("general.type").orElse("").equals("mmproj")) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, file.toString(), "this is a projector for pictures, not a model",
                    "Name the model's file; the projector beside it is counted with it."));
        }
        if (keys.text("general.type").orElse("").equals("adapter")) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, file.toString(), "this is an adapter (LoRA), not a model",
                    "Name the model's file."));
        }
    }

    private static Optional<String> cutData(Path file, GgufFile head) throws TroubleException {
        long size = size(file);
        return size >= head.dataEnd() ? Optional.empty() : Optional.of(file.getFileName() + " ends at byte " + size
                + ", its tensors would end at byte " + head.dataEnd() + ": the estimate rests on the head, a server will not load this file");
    }

    /**
     * The layers for next tokens, which are the last ones, may be left out of a file; a server looks for all others. Where no tensor
     * has the number of a layer, they are named in another way.
     */
    private static Optional<String> missingLayers(Metadata keys, ModelFacts.Tensors tensors) {
        return switch (tensors) {
            case ModelFacts.All(List<TensorInfo> list) -> {
                OptionalInt last = list.stream().flatMapToInt(t -> Tensor.layer(t).stream()).max();
                long needed = keys.own("block_count", 0) - keys.own("nextn_predict_layers", 0);
                long there = last.orElse(-1) + 1L;
                yield there < needed && (list.isEmpty() || last.isPresent())
                        ? Optional.of("its head names " + keys.own("block_count", 0) + " layers, and it has the tensors of "
                        + (there == 0 ? "none" : String.valueOf(there)) + ": no server would load it, and the weights count only what is there")
                        : Optional.empty();
            }
            case ModelFacts.Some _, ModelFacts.Unlisted _ -> Optional.empty();
        };
    }

    private static long size(Path file) throws TroubleException {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, file.toString(), "the file's size cannot be read",
                    "Check the disk or the share it is on."), e);
        }
    }

    /** A split model's keys are in its first part; every part lists its own tensors. */
    private ModelFacts.Tensors tensors(Path file, GgufFile head, List<String> remarks) throws TroubleException {
        long parts = head.keys().number("split.count").orElse(1);
        if (parts <= 1) {
            return new ModelFacts.All(head.tensors());
        }
        GgufParts names = GgufParts.of(file).orElse(null);
        if (names == null) {
            return new ModelFacts.Some(head.tensors(), "this is one of " + parts + " parts, and its name does not tell where the others are "
                    + "(NAME-00001-of-" + String.format(Locale.ROOT, "%05d", parts) + ".gguf); the weights are estimated");
        }
        if (names.number() != 1) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, file.toString(), "this is part " + names.number() + " of " + parts
                    + "; the model's keys are in the first", "Name " + names.part(1).getFileName() + "."));
        }
        return join(head, names, remarks);
    }

    private ModelFacts.Tensors join(GgufFile first, GgufParts names, List<String> remarks) throws TroubleException {
        List<TensorInfo> tensors = new ArrayList<>(first.tensors());
        List<String> missing = new ArrayList<>();
        for (int i = 2; i <= names.count(); i++) {
            Path part = names.part(i);
            if (Files.isRegularFile(part)) {
                GgufFile head = head(part);
                cutData(part, head).ifPresent(remarks::add);
                tensors.addAll(head.tensors());
            } else {
                missing.add(part.getFileName().toString());
            }
        }
        return missing.isEmpty() ? new ModelFacts.All(tensors) : new ModelFacts.Some(tensors, missing.size() + " of " + names.count()
                + " parts are not in this folder (" + missing.getFirst() + (missing.size() > 1 ? " …" : "") + "); the weights are estimated");
    }

    private ModelFacts withProjector(Path file, ModelFacts model) throws TroubleException {
        List<Path> found = projectors(file);
        if (found.isEmpty()) {
            return model;
        }
        List<Path> fitting = new ArrayList<>();
        for (Path projector : found) {
            if (fits(head(projector).keys(), model.keys())) {
                fitting.add(projector);
            }
        }
        if (fitting.size() != 1) {
            return model.with(new ModelFacts.NoProjector(), List.of((fitting.isEmpty() ? "a projector lies beside the file but is for a model "
                    + "of another width (" + found.getFirst().getFileName() + ")" : fitting.size() + " projectors lie beside the file ("
                    + fitting.getFirst().getFileName() + " …)") + ": none is counted"));
        }
        GgufFile head = head(fitting.getFirst());
        return model.with(new ModelFacts.Beside(head.keys(), head.tensors()),
                List.of("with the projector " + fitting.getFirst().getFileName()));
    }

    private static boolean fits(Metadata projector, Metadata model) {
        long width = projector.number("clip.vision.projection_dim").orElse(projector.number("clip.audio.projection_dim").orElse(0));
        return width == 0 || width == model.own("embedding_length", width);
    }

    private static List<Path> projectors(Path file) throws TroubleException {
        Path folder = file.toAbsolutePath().getParent();
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(f -> f.getFileName().toString().toLowerCase(Locale.ROOT).matches(".*mmproj.*\\.gguf"))
                    .filter(f -> !f.getFileName().equals(file.getFileName())).filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, folder.toString(), "the folder cannot be listed",
                    "Check its permissions."), e);
        }
    }
}
