package dev.pitwall.journey.proof;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.survey.ProofSurvey;
import dev.pitwall.journey.survey.ProofSurvey.Tried;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The namespace in which the proof's pod is run: the chosen one, else the first that lets it in as it is. */
sealed interface ProofPlace {

    String namespace();

    /** What can be chosen instead, this one first. */
    default List<String> options() {
        return List.of(namespace());
    }

    /** @param added what policies of the cluster add to the pod; empty text for nothing */
    record Fits(String namespace, String added, List<String> options) implements ProofPlace {
        public Fits {
            options = List.copyOf(options);
        }
    }

    /** Nothing was tried there. */
    record Unknown(String namespace) implements ProofPlace {
    }

    record Refused(String namespace, Trouble why) implements ProofPlace {
    }

    /** A policy lets it in, and would run another pod than the one that proves the card. */
    record Bent(String namespace, String how) implements ProofPlace {
    }

    static ProofPlace of(Situation s, ProofData data) {
        Map<String, Tried> tried = s.proofs().map(ProofSurvey::tried).orElse(Map.of());
        Optional<String> chosen = s.choices().get(ProofStep.NAMESPACE).filter(n -> !n.isBlank());
        if (chosen.isPresent()) {
            return Optional.ofNullable(tried.get(chosen.get())).map(t -> judge(chosen.get(), t, tried))
                    .orElse(new Unknown(chosen.get()));
        }
        List<ProofPlace> places = tried.entrySet().stream().map(e -> judge(e.getKey(), e.getValue(), tried)).toList();
        return places.stream().filter(Fits.class::isInstance).findFirst()
                .or(() -> places.stream().findFirst()).orElse(new Unknown(data.namespaces().getFirst()));
    }

    private static ProofPlace judge(String namespace, Tried tried, Map<String, Tried> all) {
        return switch (tried) {
            case Tried.Refused(Trouble why) -> new Refused(namespace, why);
            case Tried.Admitted(JsonNode asked, JsonNode pod) -> bent(asked, pod)
                    .<ProofPlace>map(how -> new Bent(namespace, how))
                    .orElseGet(() -> new Fits(namespace, added(asked, pod), fitting(namespace, all)));
        };
    }

    private static List<String> fitting(String first, Map<String, Tried> all) {
        List<String> names = new ArrayList<>(List.of(first));
        all.forEach((name, tried) -> {
            if (!name.equals(first) && tried instanceof Tried.Admitted a && bent(a.asked(), a.pod()).isEmpty()) {
                names.add(name);
            }
        });
        return names;
    }

    /** What makes it another pod: it goes elsewhere, asks for something else, or runs another image. */
    private static Optional<String> bent(JsonNode asked, JsonNode pod) {
        for (String field : List.of("nodeSelector", "nodeName", "schedulerName")) {
            JsonNode was = asked.path("spec").path(field);
            JsonNode is = pod.path("spec").path(field);
            boolean usual = was.isMissingNode() && (is.isMissingNode() || is.asText().equals("default-scheduler"));
            if (!usual && !is.equals(was)) {
                return Optional.of("spec." + field + ": " + is);
            }
        }
        for (int i = 0; i < asked.at("/spec/containers").size(); i++) {
            JsonNode was = asked.at("/spec/containers").path(i);
            JsonNode is = pod.at("/spec/containers").path(i);
            if (!is.path("image").equals(was.path("image"))) {
                return Optional.of("image " + is.path("image").asText());
            }
            if (!cards(is).equals(cards(was))) {
                return Optional.of("limits " + is.at("/resources/limits"));
            }
        }
        return Optional.empty();
    }

    private static String cards(JsonNode container) {
        StringBuilder cards = new StringBuilder();
        container.at("/resources/limits").properties().stream().filter(l -> l.getKey().startsWith("nvidia.com/"))
                .forEach(l -> cards.append(l.getKey()).append('=').append(l.getValue().asText()).append(' '));
        return cards.toString();
    }

    /** Tolerations and labels that the pod would have beside its own. */
    private static String added(JsonNode asked, JsonNode pod) {
        List<String> more = new ArrayList<>();
        for (JsonNode toleration : pod.at("/spec/tolerations")) {
            String key = toleration.path("key").asText();
            if (!key.startsWith("node.kubernetes.io/") && !has(asked.at("/spec/tolerations"), toleration)) {
                more.add("toleration " + key);
            }
        }
        pod.at("/metadata/labels").properties().stream()
                .filter(l -> !asked.at("/metadata/labels").has(l.getKey())).forEach(l -> more.add("label " + l.getKey()));
        return String.join(", ", more);
    }

    private static boolean has(JsonNode list, JsonNode wanted) {
        for (JsonNode item : list) {
            if (item.equals(wanted)) {
                return true;
            }
        }
        return false;
    }
}
