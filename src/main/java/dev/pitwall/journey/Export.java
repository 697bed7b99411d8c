package dev.pitwall.journey;

/** Puts a plan into a form that another tool carries out. It holds no secret, since a plan holds none. */
public interface Export {

    /** As {@code --export} takes it, for example {@code bash}. */
    String kind();

    /** The whole text, with a line end at its end. */
    String render(CardPlan plan);
}
