package dev.pitwall.engine;

import java.util.List;

/** The providers and models an engine decides about. Models and providers are named by their index in these lists. */
public record Fleet(List<ProviderSpec> providers, List<ModelSpec> models, List<Pin> pins) {
    public Fleet {
        providers = List.copyOf(providers);
        models = List.copyOf(models);
        pins = List.copyOf(pins);
    }
}
