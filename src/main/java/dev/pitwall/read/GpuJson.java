package dev.pitwall.read;

import dev.pitwall.card.GpuDevice;

import java.util.Optional;
import java.util.TreeMap;

/** JSON of what nvidia-smi, DCGM and Prometheus say of GPUs. */
final class GpuJson {

    void smi(Out out, GpuListing listing) {
        out.text("layout", listing.layout().wireName()).text("driverVersion", listing.driverVersion())
                .text("cudaVersion", listing.cudaVersion()).text("error", listing.error())
                .list("gpus", listing.gpus(), GpuJson::gpu);
    }

    private static Out gpu(GpuListing.Gpu g) {
        return device(g.device()).number("minor", g.minor()).number("memoryReservedMiB", g.reservedMiB())
                .text("virtualization", g.virtualization()).flag("lost", g.lost() ? Optional.of(true) : Optional.empty()).textsIfAny("slowedBy", g.slowedBy());
    }

    private static Out device(GpuDevice d) {
        return new Out().number("index", d.index()).text("name", d.name()).text("uuid", d.uuid()).text("busId", d.busId())
                .text("driverVersion", d.driverVersion()).number("memoryTotalMiB", d.memoryTotalMiB())
                .number("memoryUsedMiB", d.memoryUsedMiB()).decimal("utilizationPercent", d.utilizationPercent())
                .decimal("temperatureC", d.temperatureC()).decimal("powerW", d.powerW());
    }

    void dcgm(Out out, DcgmMetrics metrics) {
        out.list("gpus", metrics.devices(), GpuJson::dcgmDevice);
    }

    private static Out dcgmDevice(DcgmMetrics.Device d) {
        Out figures = new Out();
        d.figures().forEach(figures::decimal);
        return device(d.gpu()).text("node", d.node()).number("memoryFreeMiB", d.freeMiB())
                .number("memoryReservedMiB", d.reservedMiB()).number("lastXid", d.gpu().lastXid())
                .texts("workloads", d.workloads()).object("metrics", figures);
    }

    void exporter(Out out, ExporterLog log) {
        out.text("version", log.version()).flag("dcgmReady", log.dcgmReady()).flag("nvmlReady", log.nvmlReady())
                .flag("listening", log.listening()).text("metricsFile", log.metricsFile())
                .decimal("longestWaitSeconds", log.longestWaitSeconds()).text("longestStep", log.longestStep())
                .list("steps", log.steps(), s -> new Out().number("line", s.line()).text("at", s.at())
                        .text("level", s.level()).text("message", s.message()));
    }

    void prometheus(Out out, PrometheusAnswer answer) {
        out.text("status", answer.status()).text("resultType", answer.resultType()).text("error", answer.error())
                .list("gpus", answer.devices(), GpuJson::dcgmDevice)
                .list("samples", answer.samples(), s -> new Out().text("name", s.name())
                        .decimal("value", s.value()).number("timestampMs", s.timestampMs())
                        .map("labels", Optional.of(new TreeMap<>(s.labels()))));
    }
}
