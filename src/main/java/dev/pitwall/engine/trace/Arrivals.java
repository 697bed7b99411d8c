package dev.pitwall.engine.trace;

import dev.pitwall.engine.ModelSpec;
import dev.pitwall.engine.Request;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Collects the requests of a trace. Lengths of prompts and answers are log-normal with about the medians and spreads of
 * public conversation traces (prompt 700 tokens, answer 140).
 */
final class Arrivals {
    private static final double PROMPT_MEDIAN = 700;
    private static final double PROMPT_SPREAD = 1.0;
    private static final double ANSWER_MEDIAN = 140;
    private static final double ANSWER_SPREAD = 0.8;
    private static final double LONGEST_PROMPT = 6000;
    private static final double LONGEST_ANSWER = 1000;

    private final List<ModelSpec> models;
    private final RandomGenerator random;
    private final List<Request> requests = new ArrayList<>();

    Arrivals(List<ModelSpec> models, RandomGenerator random) {
        this.models = models;
        this.random = random;
    }

    void add(double at, int model) {
        double prompt = Math.min(LONGEST_PROMPT, PROMPT_MEDIAN * Math.exp(PROMPT_SPREAD * random.nextGaussian()));
        double answer = Math.min(LONGEST_ANSWER, ANSWER_MEDIAN * Math.exp(ANSWER_SPREAD * random.nextGaussian()));
        requests.add(new Request(requests.size(), model, at,
                models.get(model).serviceSeconds(Math.ceil(prompt), Math.ceil(answer))));
    }

    List<Request> inOrder() {
        return requests.stream().sorted(Comparator.comparingDouble(Request::at)).toList();
    }
}
