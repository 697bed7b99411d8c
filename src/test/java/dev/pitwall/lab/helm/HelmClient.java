package dev.pitwall.lab.helm;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.InstallCommand;
import com.marcnuri.helm.Release;
import com.marcnuri.helm.ReleaseHistory;
import com.marcnuri.helm.UpgradeCommand;
import dev.pitwall.lab.net.LabHttp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/** Real Helm with the lab's charts, added as repository {@code lab}, and a cluster to install them on. */
public final class HelmClient implements AutoCloseable {
    private final LabHttp http = new LabHttp();
    private final HelmRepository repository;
    private final Path dir;
    private final Path kubeconfig;
    private final Path repositories;

    /** @param dir for its own files */
    public HelmClient(Path kubeconfig, InstantSource clock, Path dir) {
        this.dir = dir;
        this.kubeconfig = kubeconfig;
        this.repository = new HelmRepository(http, clock, Charts.load());
        this.repositories = dir.resolve("repositories.yaml");
        Helm.repo().add().withRepositoryConfig(repositories).withName("lab").withUrl(repository.uri()).call();
    }

    public InstallCommand install(String chart, String name, String namespace) {
        return Helm.install("lab/" + chart).withName(name).withNamespace(namespace).withRepositoryConfig(repositories)
                .withKubeConfig(kubeconfig);
    }

    public UpgradeCommand upgrade(String chart, String name, String namespace) {
        return Helm.upgrade("lab/" + chart).withName(name).withNamespace(namespace)
                .withRepositoryConfig(repositories).withKubeConfig(kubeconfig);
    }

    public void uninstall(String name, String namespace) {
        Helm.uninstall(name).withNamespace(namespace).withKubeConfig(kubeconfig).call();
    }

    /** Of all namespaces and in every state. */
    public List<Release> list() {
        return Helm.list().all().allNamespaces().withKubeConfig(kubeconfig).call();
    }

    public String values(String name, String namespace) {
        return Helm.get(name).values().withNamespace(namespace).withKubeConfig(kubeconfig).call();
    }

    public List<ReleaseHistory> history(String name, String namespace) {
        return Helm.history(name).withNamespace(namespace).withKubeConfig(kubeconfig).call();
    }

    /** A file of values; its name has no comma, which Helm would take for the end of it. */
    public Path values(String yaml) throws IOException {
        return Files.writeString(Files.createTempFile(dir, "values", ".yaml"), yaml);
    }

    @Override
    public void close() {
        repository.close();
        http.close();
    }
}
