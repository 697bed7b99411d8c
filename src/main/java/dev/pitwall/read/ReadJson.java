package dev.pitwall.read;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.List;

/** Writes what was understood as the JSON of {@code pitwall read}. Field names are stable. */
public final class ReadJson {

    private final HostJson host = new HostJson();
    private final GpuJson gpu = new GpuJson();
    private final KubeJson kube = new KubeJson();
    private final ModelJson model = new ModelJson();

    /** @param notes what had to be done to read the file, before what the reader itself notes */
    public ObjectNode write(String file, Recognizer.Recognised recognised, List<String> notes) {
        ObjectNode document = document(recognised.what());
        ArrayNode all = document.putArray("notes");
        notes.forEach(all::add);
        recognised.what().notes().forEach(all::add);
        document.put("confidence", Math.round(recognised.confidence() * 100) / 100.0);
        document.put("file", file);
        if (!recognised.also().isEmpty()) {
            ArrayNode also = document.putArray("also");
            recognised.also().forEach(a -> {
                ObjectNode part = document(a);
                ArrayNode partNotes = part.putArray("notes");
                a.notes().forEach(partNotes::add);
                also.add(part);
            });
        }
        return document;
    }

    /** The document of one form, without notes. */
    public ObjectNode document(Understood what) {
        Out out = new Out().text("kind", what.kind().wireName());
        switch (what) {
            case PciListing l -> host.lspci(out, l);
            case IommuGroups g -> host.groups(out, g);
            case KernelLog l -> host.kernelLog(out, l);
            case KernelCommandLine c -> host.commandLine(out, c);
            case BootTool b -> host.bootTool(out, b);
            case VmConfig v -> host.vmConfig(out, v);
            case TaskLog t -> host.task(out, t);
            case LoadedModules m -> host.modules(out, m);
            case ContainerdConfig c -> host.containerd(out, c);
            case GpuListing g -> gpu.smi(out, g);
            case DcgmMetrics m -> gpu.dcgm(out, m);
            case ExporterLog l -> gpu.exporter(out, l);
            case PrometheusAnswer a -> gpu.prometheus(out, a);
            case NodeListing n -> kube.nodes(out, n);
            case PodListing p -> kube.pods(out, p);
            case PodTable t -> kube.podTable(out, t);
            case EventListing e -> kube.events(out, e);
            case HelmValues v -> kube.values(out, v);
            case SharingConfig s -> kube.sharing(out, s);
            case HelmRelease r -> kube.release(out, r);
            case KubeObjects o -> kube.objects(out, o);
            case OllamaAnswer a -> model.ollama(out, a);
            case LlamaServerAnswer a -> model.llama(out, a);
        }
        return out.node();
    }
}
