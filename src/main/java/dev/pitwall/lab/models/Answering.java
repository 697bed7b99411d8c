package dev.pitwall.lab.models;

import dev.pitwall.lab.world.LabCard;
import dev.pitwall.lab.world.LabModelServer.Installed;

import java.util.ArrayList;
import java.util.List;

/**
 * What a model says, word by word, and how fast. Decoding reads all weights once a token, so the pace is the card's
 * memory bandwidth over the model's size, times what is usually reached: a 4-bit 7B model on an RTX A1000 gives about
 * 30 tokens a second (measured, in the source of the garage scene).
 */
record Answering(List<String> tokens, double tokensPerSecond, int promptTokens, double promptTokensPerSecond) {
    private static final double REACHED = 0.74;
    private static final double ON_PROCESSOR_TOKENS_PER_SECOND = 4;
    private static final double FASTEST_TOKENS_PER_SECOND = 400;
    /** Reading a prompt is bound by arithmetic and runs many tokens at once. */
    private static final double PROMPT_SPEED_UP = 22;
    private static final int USUAL_LENGTH = 96;
    private static final int CHARACTERS_PER_TOKEN = 4;

    /** @param share of the model that is on the card, 0 to 1 */
    static Answering of(ModelLibrary library, Installed model, LabCard card, double share, String prompt, int most) {
        double onCard = card == null ? ON_PROCESSOR_TOKENS_PER_SECOND : Math.min(FASTEST_TOKENS_PER_SECOND,
                REACHED * library.bytesPerSecond(card.product) / Math.max(1, model.diskBytes()));
        double pace = 1 / (share / onCard + (1 - share) / Math.min(onCard, ON_PROCESSOR_TOKENS_PER_SECOND));
        int length = most > 0 ? most : USUAL_LENGTH;
        return new Answering(tokens(library.sentences(), prompt, length), pace,
                Math.max(1, prompt.length() / CHARACTERS_PER_TOKEN), pace * PROMPT_SPEED_UP);
    }

    private static List<String> tokens(List<String> sentences, String prompt, int length) {
        List<String> tokens = new ArrayList<>();
        int next = 0;
        int offset = Math.floorMod(prompt.hashCode(), Math.max(1, sentences.size() - 1));
        while (tokens.size() < length && next < sentences.size()) {
            // It always begins by saying what it is.
            String sentence = next == 0 ? sentences.getFirst()
                    : sentences.get(1 + (offset + next) % (sentences.size() - 1));
            for (String word : sentence.split(" ")) {
                tokens.add((tokens.isEmpty() ? "" : " ") + word);
            }
            next++;
        }
        return List.copyOf(tokens.subList(0, Math.min(length, tokens.size())));
    }
}
