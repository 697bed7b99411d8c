package dev.pitwall.lab.kube.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImageCatalogTest {
    private final ImageCatalog images = ImageCatalog.load();

    @ParameterizedTest
    @ValueSource(strings = {"nvcr.io/nvidia/k8s/cuda-sample:vectoradd-cuda12.5.0-ubuntu22.04",
        "nvcr.io/nvidia/k8s/cuda-sample:vectoradd-cuda12.5.0", "nvcr.io/nvidia/k8s/cuda-sample:vectoradd-cuda11.7.1-ubuntu20.04",
        "nvidia/cuda:12.6.0-base-ubuntu22.04", "nvcr.io/nvidia/cuda:12.4.1-base-ubi8", "nvidia/cuda:13.0.1-runtime-ubuntu24.04",
        "busybox", "busybox:1.37", "alpine:3.22", "nginx", "nginx:1.29-alpine", "ubuntu:24.04", "debian:bookworm-slim",
        "python:3.13-slim", "registry.k8s.io/pause:3.10", "ollama/ollama", "ollama/ollama:0.12.3",
        "ghcr.io/ggml-org/llama.cpp:server-cuda", "ghcr.io/ggml-org/llama.cpp:server-cuda-b6123",
        "vllm/vllm-openai:v0.11.0", "curlimages/curl:8.16.0", "registry.k8s.io/e2e-test-images/agnhost:2.53",
        "nvcr.io/nvidia/pytorch:25.03-py3", "quay.io/jupyter/pytorch-notebook:cuda12-latest", "rancher/mirrored-pause:3.6",
        "ghcr.io/open-webui/open-webui:main", "busybox@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"})
    void whatAUserTriesOnACardCanBePulled(String image) {
        assertThat(images.has(image)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nvidia/cuda", "nvidia/cuda:12.6-base", "nginx:9.99", "busyboxx",
        "nvcr.io/nvidia/k8s/cuda-sample:vectoradd", "nvcr.io/nvidia/k8s/cuda-sampel:vectoradd-cuda12.5.0",
        "nvcr.io/nvidia/driver:580.95.05-ubuntu21.10", "registry.k8s.io/nothing:v1", "vgpu-manager:570.1-ubuntu24.04",
        "nvcr.io/nvidia/gpu-operator:v99.0.0", "localhost:5000/mine:dev"})
    void whatNoRegistryHasCannot(String image) {
        assertThat(images.has(image)).isFalse();
    }

    @Test
    void aRepositoryThatIsThereDiffersFromOneThatIsNot() {
        assertThat(images.ask(ImageName.of("nginx:9.99"))).isInstanceOf(ImageCatalog.Answer.NoTag.class);
        assertThat(images.ask(ImageName.of("ngnix"))).isInstanceOf(ImageCatalog.Answer.NoRepository.class);
        assertThat(images.ask(ImageName.of("registry.local/mine:1"))).isInstanceOf(ImageCatalog.Answer.NoRegistry.class);
    }
}
