package dev.pitwall.journey.node;

import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.Risk;
import dev.pitwall.journey.survey.ShellNode.Engine;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

class RuntimeStepTest {
    private static final String KEY = "https://nvidia.github.io/libnvidia-container/gpgkey";
    private static final String HANDLER = "[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.nvidia.options]\n"
            + "  BinaryName = \"/usr/bin/nvidia-container-runtime\"\n";

    private final PaperNode node = new PaperNode();

    private PaperNode system() {
        node.keys.put(KEY, Content.of("key"));
        node.ubuntu(595);
        return node.choose("driver", "os");
    }

    @Test
    void theOperatorsToolkitNeedsNothing() {
        assertThat(node.look("runtime").state()).isEqualTo(State.NOT_APPLICABLE);
    }

    @Test
    void k3sFindsTheRuntimeWhenItsServiceStartsSoNoFileOfItIsTouched() {
        Answer answer = system().look("runtime");

        List<String> targets = answer.changes().stream().map(Change::target).toList();
        assertThat(targets).startsWith("/etc/apt/keyrings/nvidia-container-toolkit.asc",
                "/etc/apt/sources.list.d/nvidia-container-toolkit.list").endsWith("systemctl restart k3s")
                .noneMatch(t -> t.contains("containerd"));
        assertThat(answer.changes().getLast().risk()).isEqualTo(Risk.RESTARTS_PODS);
    }

    @Test
    void anOrdinaryContainerdGetsAFileBesideItsOwnAndImportsIt() {
        node.engine = Optional.of(Engine.CONTAINERD);
        node.files.put("/etc/containerd/config.toml", Content.of("version = 2\nimports = [\"/etc/containerd/own.toml\"]\n"));

        Answer answer = system().look("runtime");

        assertThat(text(answer, "/etc/containerd/conf.d/99-nvidia.toml")).startsWith("version = 2\n")
                .contains("[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.nvidia]");
        assertThat(text(answer, "/etc/containerd/config.toml")).isEqualTo("version = 2\n"
                + "imports = [\"/etc/containerd/own.toml\", \"/etc/containerd/conf.d/*.toml\"]\n");
    }

    @Test
    void microk8sMakesItsConfigurationOfATemplate() {
        node.engine = Optional.of(Engine.MICROK8S);
        node.files.put("/var/snap/microk8s/current/args/containerd-template.toml", Content.of("version = 3\n"));

        assertThat(text(system().look("runtime"), "/var/snap/microk8s/current/args/containerd-template.toml"))
                .startsWith("version = 3\n\n[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.nvidia]");
    }

    @Test
    void whatIsInstalledAndKnownIsDone() {
        node.files.put(Engine.K3S.config(), Content.of(HANDLER));
        system().install("libnvidia-container-tools", "libnvidia-container1", "nvidia-container-toolkit",
                "nvidia-container-toolkit-base");

        assertThat(node.look("runtime").state()).isEqualTo(State.DONE);
    }

    @Test
    void aTemplateThatKeepsTheHandlerAwayStopsBothWays() {
        node.files.put("/var/lib/rancher/k3s/agent/etc/containerd/config.toml.tmpl", Content.of("version = 2\n"));
        assertThat(node.look("runtime").state()).isEqualTo(State.BLOCKED);
        assertThat(system().look("runtime").why()).contains("config.toml.tmpl");

        node.files.put("/var/lib/rancher/k3s/agent/etc/containerd/config.toml.tmpl",
                Content.of("{{ template \"base\" . }}\n"));
        assertThat(node.look("runtime").state()).isEqualTo(State.READY);
    }

    @Test
    void aTemplateThatNamesTheHandlerByHandIsWarnedOf() {
        node.files.put("/var/lib/rancher/k3s/agent/etc/containerd/config.toml.tmpl", Content.of(HANDLER));

        assertThat(node.look("runtime").notes()).anyMatch(n -> n.contains("config.toml.tmpl"));
    }

    @Test
    void packagesOfTheToolkitGoWhereTheOperatorIsChosen() {
        node.choose("toolkit", "operator").install("nvidia-container-toolkit", "libnvidia-container1");

        assertThat(node.look("runtime").changes()).extracting(Change::target).last().isEqualTo("systemctl restart k3s");
    }

    @Test
    void anOperatorThatIsThereIsTakenAsItIs() {
        node.object(ObjectType.CLUSTER_POLICY, "{metadata: {name: p}, spec: {driver: {enabled: false}, toolkit: {enabled: true}}}");

        assertThat(node.look("runtime").state()).isEqualTo(State.NOT_APPLICABLE);
    }

    @Test
    void theKeyOfASourceIsNeededBeforeItIsNamed() {
        node.choose("driver", "os").ubuntu(595);

        assertThat(node.look("runtime").state()).isEqualTo(State.BLOCKED);
        assertThat(node.look("runtime").why()).contains(KEY);
    }

    private static String text(Answer answer, String path) {
        return answer.changes().stream().filter(c -> c.target().equals(path)).map(FileChange.class::cast).findFirst()
                .orElseThrow(() -> new AssertionError(answer.state() + " " + answer.why())).after().text();
    }
}
