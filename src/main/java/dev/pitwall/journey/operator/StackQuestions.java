package dev.pitwall.journey.operator;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer.Option;
import dev.pitwall.journey.Answer.Question;
import dev.pitwall.journey.survey.ClusterSurvey;
import dev.pitwall.journey.survey.ClusterSurvey.Charts;
import dev.pitwall.journey.survey.StackNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What the person decides about the stack: which one, and which version of the operator. */
final class StackQuestions {
    private static final int OFFERED = 12;

    private final CardCluster cluster;
    private final ClusterSurvey survey;
    private final Stack stack;
    private final OperatorVersions versions;
    private final Sentences texts;

    StackQuestions(CardCluster cluster, Stack stack, OperatorVersions versions, Sentences texts) {
        this.cluster = cluster;
        this.survey = cluster.survey();
        this.stack = stack;
        this.versions = versions;
        this.texts = texts;
    }

    List<Question> all() {
        List<Question> all = new ArrayList<>(List.of(which()));
        Optional.ofNullable(survey.charts().get(StackNames.OPERATOR)).filter(c -> stack == Stack.OPERATOR)
                .ifPresent(chart -> all.add(version(chart)));
        return all;
    }

    private Question which() {
        Stack recommended = Stack.usual(survey);
        return new Question(Stack.KEY, texts.say("ask.stack"), Arrays.stream(Stack.values()).map(s -> new Option(s.value(),
                texts.say("ask.stack." + s.value()), texts.say("ask.stack." + s.value() + ".note")
                        + (s == recommended ? " " + texts.say("ask.stack." + reason()) : ""))).toList(), stack.value());
    }

    private String reason() {
        return Stack.installed(survey).isPresent() ? "installed"
                : Stack.recommended(survey) == Stack.OPERATOR ? "usual" : "talos";
    }

    private Question version(Charts chart) {
        boolean byOperator = DriverSource.of(cluster.situation(), survey) == DriverSource.OPERATOR;
        ClusterNeeds needs = ClusterNeeds.of(cluster.situation(), survey, byOperator);
        Optional<String> best = versions.best(chart.versions(), needs);
        List<Option> options = chart.versions().stream().limit(OFFERED).map(v -> new Option(v, v, note(v, needs, best)))
                .toList();
        return new Question(OperatorCharts.VERSION_KEY, texts.say("ask.version"), options, chart.file().version());
    }

    private String note(String version, ClusterNeeds needs, Optional<String> best) {
        if (needs.installed().filter(i -> VersionNumber.of(i).equals(VersionNumber.of(version))).isPresent()) {
            return texts.say("ask.version.installed");
        }
        return versions.objection(version, needs).map(o -> switch (o) {
            case KUBERNETES -> texts.say("ask.version.KUBERNETES");
            case CARDS -> texts.say("ask.version.CARDS");
            case TALOS -> texts.say("ask.version.TALOS");
            case JUMP -> texts.say("ask.version.JUMP");
            case OLDER -> texts.say("ask.version.OLDER");
        }).orElse(best.filter(version::equals).isPresent() ? texts.say("ask.version.best") : "");
    }
}
