package dev.pitwall.doctor.picture.cluster;

import dev.pitwall.doctor.catalogue.SignRef;
import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.sign.Cited;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.doctor.sign.Sign;
import dev.pitwall.doctor.sign.SignBook;
import dev.pitwall.read.OllamaAnswer;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Models that are only partly on the card, by what a server logged or answers. */
final class OffloadCheck implements Check {
    private static final SignRef OFFLOAD = SignRef.of("ollama-offload");

    @Override
    public void look(Picture picture, SignBook book) {
        for (Sign sign : book.find(OFFLOAD)) {
            OptionalInt layers = whole(sign, "layers");
            OptionalInt onCard = whole(sign, "offload");
            if (layers.isPresent() && onCard.isPresent() && onCard.getAsInt() < layers.getAsInt()) {
                book.add(Shown.sign("ollama-partly-offloaded", sign.about(), sign.line().map(Cited::from).orElse(""),
                        onCard.getAsInt() + " of " + layers.getAsInt() + " layers are on the card",
                        Map.of("layers", sign.values().get("layers"), "offload", sign.values().get("offload")))
                        .comparing(sign.line().map(Excerpt::of).stream().toList()));
            }
        }
        picture.outputs(OllamaAnswer.class).stream()
                .filter(answer -> answer.what().call().equals(Optional.of(OllamaAnswer.Call.PS)))
                .forEach(answer -> answer.what().models().stream()
                        .filter(m -> m.sizeBytes().isPresent() && m.vramBytes().isPresent())
                        .filter(m -> m.vramBytes().getAsLong() < m.sizeBytes().getAsLong() && m.vramBytes().getAsLong() > 0)
                        .forEach(m -> book.add(Shown.sign("model-partly-in-vram", answer.about(), answer.from(),
                                m.name().orElse("a model") + " is partly in the computer's memory",
                                answer.shown("size", "size_vram")))));
    }

    private static OptionalInt whole(Sign sign, String value) {
        String text = sign.values().getOrDefault(value, "");
        return text.isEmpty() || text.length() > 6 ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(text));
    }
}
