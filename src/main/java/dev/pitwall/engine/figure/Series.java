package dev.pitwall.engine.figure;

/** One curve. @param subject the card's id; for tokens the name of the model server */
public record Series(String subject, Figure figure) {
}
