package dev.pitwall.lab.kube.seed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.marcnuri.helm.Helm;
import dev.pitwall.lab.helm.Chart;
import dev.pitwall.lab.helm.Charts;
import dev.pitwall.lab.helm.RealHelm;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.read.HelmRelease;
import dev.pitwall.read.HelmReleaseReader;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeedReleaseTest {
    private static final Instant NOW = Instant.parse("2026-08-22T08:00:00Z");

    @ParameterizedTest
    @ValueSource(strings = {"rke2", "talos", "k3s", "kubeadm"})
    void manifestIsWhatHelmRendersTheChartTo(String file, @TempDir Path dir) throws Exception {
        RealHelm.require();
        SeedRelease release = SeedRelease.read(file);
        Chart chart = Charts.load().find(release.chart(), release.version()).orElseThrow();
        String rendered = new Helm(RealHelm.unpack(chart, dir)).template().withName(release.name())
                .withNamespace(release.namespace()).withValuesFile(RealHelm.values(release.values(), dir)).call();
        assertThat(SeedRelease.manifest(file).strip()).isEqualTo(rendered.strip());
    }

    @ParameterizedTest
    @ValueSource(strings = {"rke2", "talos", "k3s", "kubeadm"})
    void clientsReadItsRecordAsHelmWouldHaveWrittenIt(String file) {
        SeedRelease release = SeedRelease.read(file);
        List<Manifest> objects = release.objects(SeedRelease.manifest(file), NOW);
        JsonNode secret = objects.getLast().object();
        HelmRelease read = new HelmReleaseReader().read(secret);
        assertThat(read.name()).contains("gpu-operator");
        assertThat(read.chartVersion()).contains(release.version());
        assertThat(read.status()).contains("deployed");
        assertThat(read.notes()).isEmpty();
        assertThat(objects).extracting(object -> object.key().resource()).contains(
                new Resource("nvidia.com", "clusterpolicies"), Resource.DAEMON_SETS,
                Resource.DEFINITIONS);
    }
}
