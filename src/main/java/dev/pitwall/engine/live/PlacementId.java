package dev.pitwall.engine.live;

/** A model on a provider: there is at most one placement of it there. */
public record PlacementId(ProviderId provider, ModelName model) {
}
