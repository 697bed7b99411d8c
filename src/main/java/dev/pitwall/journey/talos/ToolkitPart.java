package dev.pitwall.journey.talos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Talos.Service;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.TalosConfigChange;
import dev.pitwall.journey.survey.ShellNode;
import dev.pitwall.journey.survey.TalosNode;
import dev.pitwall.journey.survey.TalosNode.Extension;
import dev.pitwall.journey.survey.TalosShowing;
import dev.pitwall.journey.survey.UnreadNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The step {@code runtime} on a Talos node. The toolkit is an extension that comes with the driver's; from Talos 1.13 on a
 * service of it writes the CDI description, before that containerd has the handler {@code nvidia} and the kernel needs a
 * setting (facts: cluster.md 4.2). RuntimeClasses are the cluster's.
 */
public final class ToolkitPart {
    private static final String TOOLKIT = "nvidia-container-toolkit";
    private static final String CDI = "ext-nvidia-cdi-gen";
    private static final String SYSCTL = "net.core.bpf_jit_harden";
    private static final int WITH_CDI = 13;
    private static final Duration WRITING = Duration.ofMinutes(2);

    private final Sentences texts = new Sentences("journey/talos");

    /** @return empty where the node does not run Talos, or is not known */
    public Optional<Answer> look(Situation situation) {
        return situation.node().flatMap(node -> switch (node) {
            case TalosNode talos -> Optional.of(look(talos));
            case ShellNode shell -> Optional.empty();
            case UnreadNode unread -> Optional.empty();
        });
    }

    private Answer look(TalosNode node) {
        Optional<TalosVersion> version = TalosVersion.of(node.version());
        if (version.isEmpty()) {
            return Answer.of(State.BLOCKED, texts.say("release.unknown", node.version(), Release.newest()), List.of());
        }
        TalosRows rows = new TalosRows(node);
        Optional<Extension> toolkit = node.extensions().stream().filter(e -> e.name().startsWith(TOOLKIT)).findFirst();
        rows.add(TalosShowing.EXTENSIONS, texts.say("row.toolkit"), toolkit.map(Extension::version)
                .orElse(texts.say("row.none")), toolkit.isPresent() ? Mark.OK : Mark.ATTENTION, line -> line.contains(TOOLKIT));
        List<Change> changes = version.get().isFrom(1, WITH_CDI) ? List.of() : setting(node);
        if (toolkit.isEmpty()) {
            return Answer.waiting(texts.say("runtime.waits.driver"), rows.all(), changes);
        }
        return version.get().isFrom(1, WITH_CDI) ? cdi(node, toolkit.get(), rows) : handler(node, toolkit.get(), rows, changes);
    }

    private Answer cdi(TalosNode node, Extension toolkit, TalosRows rows) {
        Optional<Service> service = node.service(CDI);
        boolean written = service.filter(s -> s.state().equals("Running") || s.state().equals("Finished")).isPresent();
        rows.add(TalosShowing.SERVICES, texts.say("row.service", CDI), service.map(s -> s.state() + " · " + s.says())
                .orElse(texts.say("row.none")), written ? Mark.OK : Mark.ATTENTION, line -> line.startsWith(CDI));
        if (written) {
            return Answer.of(State.DONE, texts.say("runtime.done.cdi", toolkit.version()), rows.all());
        }
        boolean bound = node.devices().stream().anyMatch(f -> f.isNvidiaGpu() && f.driver().isPresent());
        return bound ? Answer.of(State.WAITING, texts.say("runtime.waits.cdi", service.map(Service::says).orElse("")),
                rows.all()).coming("cdi", WRITING)
                : Answer.of(State.WAITING, texts.say("runtime.waits.loaded"), rows.all());
    }

    private Answer handler(TalosNode node, Extension toolkit, TalosRows rows, List<Change> changes) {
        if (node.config().isEmpty()) {
            return Answer.of(State.UNKNOWN, texts.say("config.unread", node.name(), ""), rows.all());
        }
        return changes.isEmpty() ? Answer.of(State.DONE, texts.say("runtime.done.handler", toolkit.version()), rows.all())
                : Answer.ready(texts.say("runtime.ready.sysctl"), rows.all(), changes);
    }

    private List<Change> setting(TalosNode node) {
        JsonNode now = node.config().map(c -> c.at("/machine/sysctls").path(SYSCTL))
                .orElse(JsonNodeFactory.instance.missingNode());
        return node.config().isEmpty() || now.asText().equals("1") ? List.of()
                : List.of(new TalosConfigChange(node.name(), node.address(), sysctl(now.isMissingNode()
                ? JsonNodeFactory.instance.nullNode() : now), sysctl(JsonNodeFactory.instance.textNode("1")),
                texts.say("change.sysctl")));
    }

    private static ObjectNode sysctl(JsonNode value) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        tree.withObjectProperty("machine").withObjectProperty("sysctls").set(SYSCTL, value);
        return tree;
    }
}
