package dev.pitwall.journey.survey;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.pitwall.card.Trouble;
import dev.pitwall.site.Supply;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.operator.PaperCluster;
import dev.pitwall.journey.operator.PaperHelm;
import dev.pitwall.journey.survey.ClusterSurvey.Distribution;
import dev.pitwall.journey.survey.ClusterSurveyor.Place;
import org.junit.jupiter.api.Test;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

class ClusterSurveyorTest {
    private final PaperCluster cluster = new PaperCluster();
    private final PaperHelm helm = new PaperHelm();
    private final ClusterSurveyor surveyor = new ClusterSurveyor(InstantSource.system());

    private ClusterSurvey look() throws Exception {
        return surveyor.survey(cluster, Optional.of(helm), new Place(nodes -> Optional.of("worker-1"), Set.of()),
                new ChartWishes() {
                    @Override
                    public List<Chart> charts(ClusterSurvey seen) {
                        return List.of(new Chart(Supply.OPERATOR_CHARTS, "gpu-operator"));
                    }

                    @Override
                    public Optional<String> version(ClusterSurvey seen, Chart chart, List<String> versions) {
                        return Optional.of(versions.getFirst());
                    }
                }, Supply::usual);
    }

    private static String pod(String namespace, String name, String node) {
        return "{metadata: {namespace: " + namespace + ", name: " + name + "}, spec: {nodeName: '" + node + "'}}";
    }

    @Test
    void podsAreReadOfTheCardsNodeAndOfThoseThatNoNodeHasYet() throws Exception {
        cluster.with(ObjectType.NAMESPACE, "{metadata: {name: gpu-operator}}", "{metadata: {name: web}}");
        cluster.with(ObjectType.POD, pod("gpu-operator", "driver-1", "worker-1"), pod("gpu-operator", "driver-2", "worker-2"),
                pod("gpu-operator", "plugin-1", ""), pod("web", "shop", "worker-2"), pod("web", "job", "worker-1"));

        ClusterSurvey survey = look();

        assertThat(survey.all(ObjectType.POD)).extracting(p -> p.at("/metadata/name").asText())
                .containsExactlyInAnyOrder("driver-1", "plugin-1", "job");
        assertThat(cluster.asked).contains("pick pods  spec.nodeName=worker-1", "pick pods gpu-operator spec.nodeName=")
                .noneMatch(call -> call.startsWith("list pods"));
        assertThat(survey.shown().get("pods").raw()).contains("gpu-operator/plugin-1");
    }

    @Test
    void whatCannotBeReadIsKeptWithTheReasonAndTheLookGoesOn() throws Exception {
        cluster.broken.put(ObjectType.CLUSTER_POLICY, new Trouble(Trouble.Kind.RIGHTS, "paper", "not allowed", "Ask."));
        helm.repository = Optional.of(new Trouble(Trouble.Kind.CONNECT, "helm.ngc.nvidia.com", "no route", "Look."));
        cluster.with(ObjectType.NODE, "{metadata: {name: worker-1}}");

        ClusterSurvey survey = look();

        assertThat(survey.trouble("clusterpolicies.nvidia.com")).map(Trouble::what).contains("not allowed");
        assertThat(survey.trouble("gpu-operator")).map(Trouble::kind).contains(Trouble.Kind.CONNECT);
        assertThat(survey.node("worker-1")).isPresent();
        assertThat(survey.silence()).isEmpty();
    }

    @Test
    void aClusterThatIsSilentIsNotAskedFurther() throws Exception {
        cluster.broken.put(ObjectType.NODE, new Trouble(Trouble.Kind.CONNECT, "paper", "connection refused", "Wait."));

        ClusterSurvey survey = look();

        assertThat(survey.silence()).isPresent();
        assertThat(cluster.asked).noneMatch(call -> call.startsWith("pick"));
        assertThat(helm.downloads).isZero();
    }

    @Test
    void aChartIsFetchedOnceHoweverOftenAWalkLooks() throws Exception {
        look();
        ClusterSurvey survey = look();

        assertThat(helm.downloads).isOne();
        assertThat(survey.charts().get("gpu-operator").file().version()).isEqualTo("v26.7.0");
        assertThat(survey.charts().get("gpu-operator").versions()).contains("v26.3.2");
    }

    @Test
    void whetherEverythingIsAllowedIsAskedFirst() throws Exception {
        assertThat(look().kept().reach()).isEqualTo(ClusterSurvey.Reach.EVERYTHING);

        cluster.denied.add("patch namespaces");
        ClusterSurvey survey = look();

        assertThat(survey.kept().reach()).isEqualTo(ClusterSurvey.Reach.PARTS);
        assertThat(survey.may("patch", ObjectType.NAMESPACE, "")).isFalse();
    }

    @Test
    void whatWasGivenToAReleaseIsKnownAndNeverShown() throws Exception {
        helm.with("gpu-operator", "gpu-operator", "gpu-operator", "v26.3.2", "deployed",
                JsonNodeFactory.instance.objectNode().put("secret", "hunter2"));

        ClusterSurvey survey = look();

        assertThat(survey.givenTo(survey.releases().getFirst())).isPresent();
        assertThat(survey.toString() + survey.shown()).doesNotContain("hunter2");
    }

    @Test
    void theDistributionIsToldByVersionAndNodes() {
        var ubuntu = PaperCluster.yaml("{status: {nodeInfo: {osImage: Ubuntu 24.04, kubeletVersion: v1.33.5+k3s1}}}");
        var talos = PaperCluster.yaml("{status: {nodeInfo: {osImage: Talos (v1.13.2), kubeletVersion: v1.34.1}}}");
        var microk8s = PaperCluster.yaml("{metadata: {labels: {microk8s.io/cluster: 'true'}}}");

        assertThat(Distributions.of("v1.33.5+rke2r1", List.of())).isEqualTo(Distribution.RKE2);
        assertThat(Distributions.of("v1.33.5", List.of(ubuntu))).isEqualTo(Distribution.K3S);
        assertThat(Distributions.of("v1.34.1", List.of(talos))).isEqualTo(Distribution.TALOS);
        assertThat(Distributions.of("v1.34.1", List.of(microk8s))).isEqualTo(Distribution.MICROK8S);
        assertThat(Distributions.of("v1.34.1", List.of())).isEqualTo(Distribution.KUBEADM);
    }
}
