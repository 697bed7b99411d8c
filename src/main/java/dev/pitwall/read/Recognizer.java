package dev.pitwall.read;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Says which form a text is, from its content alone, and reads it. Each detector says how much the text looks like its
 * form; the likeliest one that can read it wins, and of equal ones the first.
 */
public final class Recognizer {

    /** Below this a few lines look alike by chance. */
    private static final double ENOUGH = 0.3;

    private final List<Detector> detectors;

    private record Detector(String name, ToDoubleFunction<Text> likeness, Function<Text, Optional<Understood>> reader) {
    }

    /** What came of a text. */
    public sealed interface Result {
    }

    /**
     * @param confidence 0 to 1
     * @param also       other forms in the same text, where shell prompts part them
     */
    public record Recognised(Understood what, double confidence, List<Understood> also) implements Result {
        public Recognised {
            also = List.copyOf(also);
        }
    }

    /**
     * @param tried     names of the forms it was compared with
     * @param line      number of the first line that is not blank; 0 if there is none
     * @param firstLine that line, shortened
     */
    public record NotRecognised(List<String> tried, int line, String firstLine) implements Result {
        public NotRecognised {
            tried = List.copyOf(tried);
        }
    }

    private record Candidate(Detector detector, double likeness) {
    }

    public Recognizer() {
        JsonReader json = new JsonReader();
        YamlReader yaml = new YamlReader();
        detectors = new ArrayList<>();
        SmiXmlReader xml = new SmiXmlReader();
        add("nvidia-smi -q -x", xml::likeness, xml::read);
        detectors.add(new Detector("JSON", json::likeness, json::read));
        IommuGroupsReader groups = new IommuGroupsReader();
        add("IOMMU groups", groups::likeness, groups::read);
        LspciReader lspci = new LspciReader();
        add("lspci", lspci::likeness, lspci::read);
        SmiTableReader table = new SmiTableReader();
        add("nvidia-smi", table::likeness, table::read);
        SmiListReader list = new SmiListReader();
        add("nvidia-smi -L", list::likeness, list::read);
        SmiCsvReader csv = new SmiCsvReader();
        add("nvidia-smi --query-gpu", csv::likeness, csv::read);
        SmiQueryReader query = new SmiQueryReader();
        add("nvidia-smi -q", query::likeness, query::read);
        DcgmReader dcgm = new DcgmReader();
        add("DCGM metrics", dcgm::likeness, dcgm::read);
        ExporterLogReader exporter = new ExporterLogReader();
        add("DCGM exporter log", exporter::likeness, exporter::read);
        addHost();
        addCluster();
        detectors.add(new Detector("YAML", yaml::likeness, yaml::read));
        SmiErrorReader error = new SmiErrorReader();
        add("nvidia-smi error", error::likeness, error::read);
    }

    private void addHost() {
        CommandLineReader cmdline = new CommandLineReader();
        add("/proc/cmdline", cmdline::likeness, cmdline::read);
        BootToolReader boot = new BootToolReader();
        add("proxmox-boot-tool status", boot::likeness, boot::read);
        KernelLogReader kernel = new KernelLogReader();
        add("dmesg", kernel::likeness, kernel::read);
        VmConfigReader vm = new VmConfigReader();
        add("qm config", vm::likeness, vm::read);
        TaskLogReader task = new TaskLogReader();
        add("Proxmox task log", task::likeness, task::read);
        LsmodReader lsmod = new LsmodReader();
        add("lsmod", lsmod::likeness, lsmod::read);
        ContainerdReader containerd = new ContainerdReader();
        add("containerd config", containerd::likeness, containerd::read);
    }

    private void addCluster() {
        DescribeNodeReader describe = new DescribeNodeReader();
        add("kubectl describe node", describe::likeness, describe::read);
        PodTableReader pods = new PodTableReader();
        add("kubectl get pods", pods::likeness, pods::read);
        EventReader events = new EventReader();
        add("events", events::likeness, events::read);
    }

    private void add(String name, ToDoubleFunction<Text> likeness, Function<Text, ? extends Understood> reader) {
        detectors.add(new Detector(name, likeness, t -> Optional.of(reader.apply(t))));
    }

    /** Reads a text. Never throws, whatever the text is. */
    public Result recognise(Text text) {
        List<Text> sections = text.sections();
        boolean parted = sections.size() > 1 && sections.size() <= Text.MOST_SECTIONS;
        List<Recognised> parts = !parted ? List.of() : sections.stream()
                .map(this::one).flatMap(Optional::stream).toList();
        List<Kind> kinds = parts.stream().map(p -> p.what().kind()).distinct().toList();
        if (kinds.size() > 1) {
            return new Recognised(parts.getFirst().what(), parts.getFirst().confidence(),
                    parts.stream().skip(1).map(Recognised::what).toList());
        }
        Optional<Recognised> whole = one(text);
        return whole.isPresent() ? whole.get() : notRecognised(text);
    }

    private Optional<Recognised> one(Text text) {
        List<Candidate> candidates = detectors.stream().map(d -> new Candidate(d, d.likeness().applyAsDouble(text)))
                .filter(c -> c.likeness() >= ENOUGH)
                .sorted(Comparator.comparingDouble(Candidate::likeness).reversed()).toList();
        for (Candidate candidate : candidates) {
            Optional<Understood> what = candidate.detector().reader().apply(text);
            if (what.isPresent()) {
                return Optional.of(new Recognised(what.get(), candidate.likeness(), List.of()));
            }
        }
        return Optional.empty();
    }

    private NotRecognised notRecognised(Text text) {
        int line = text.first(1).stream().mapToInt(Text.Line::number).findFirst().orElse(0);
        return new NotRecognised(detectors.stream().map(Detector::name).toList(), line, text.firstLine());
    }
}
