package dev.pitwall.read;

import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Reads {@code nvidia-smi -q -x} of the DTD versions 12 and 13. The DTD is never fetched and no entity is resolved.
 * Element names repeat under different parents, so each value is taken with its parent.
 */
public final class SmiXmlReader {

    private static final Pattern START = Pattern.compile("<nvidia_smi_log\\b|nvsmi_device_v\\d+\\.dtd");

    /** How much the text looks like this form: 0 (not at all) to 1 (nothing else looks so). */
    public double likeness(Text text) {
        return text.first(20).stream().anyMatch(l -> START.matcher(l.text()).find()) ? 1 : 0;
    }

    /** Reads as far as it goes; never throws. */
    public GpuListing read(Text text) {
        State state = new State();
        String body = text.body();
        int start = Math.max(0, body.indexOf('<'));
        // The XML declaration must be the very first thing; line numbers are counted from it.
        int skipped = (int) body.substring(0, start).chars().filter(c -> c == '\n').count();
        try {
            XMLStreamReader xml = factory().createXMLStreamReader(new StringReader(body.substring(start)));
            while (!state.done() && xml.hasNext()) {
                state.event(xml, xml.next());
            }
        } catch (XMLStreamException e) {
            int line = e.getLocation() == null ? 0 : e.getLocation().getLineNumber() + skipped;
            state.notes.add("line " + line + ": the XML ends or breaks here; what came before was read");
        }
        return state.build();
    }

    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        factory.setXMLResolver((publicId, systemId, base, namespace) -> new ByteArrayInputStream(new byte[0]));
        return factory;
    }

    private static final class State {
        private final Notes notes = new Notes();
        private final Deque<String> path = new ArrayDeque<>();
        private enum Draw { PLAIN, AVERAGE }

        private final Map<Draw, String> secondBest = new EnumMap<>(Draw.class);
        private final StringBuilder text = new StringBuilder();
        private final List<GpuDraft> drafts = new ArrayList<>();
        private Optional<String> driver = Optional.empty();
        private Optional<String> cuda = Optional.empty();
        private OptionalInt attached = OptionalInt.empty();
        private boolean done;

        boolean done() {
            return done;
        }

        void event(XMLStreamReader xml, int event) {
            switch (event) {
                case XMLStreamConstants.START_ELEMENT -> {
                    path.push(xml.getLocalName());
                    text.setLength(0);
                    if (path.size() == 2 && xml.getLocalName().equals("gpu")) {
                        drafts.add(new GpuDraft());
                        Optional.ofNullable(xml.getAttributeValue(null, "id")).ifPresent(drafts.getLast()::busId);
                    }
                }
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> text.append(xml.getText());
                case XMLStreamConstants.END_ELEMENT -> {
                    String name = path.pop();
                    value(path.isEmpty() ? "" : path.peek(), name, text.toString().strip());
                    text.setLength(0);
                    // Whatever follows the document, such as a prompt, is not ours.
                    done = path.isEmpty();
                }
                default -> { }
            }
        }

        private void value(String parent, String name, String value) {
            switch (parent + "/" + name) {
                case "nvidia_smi_log/driver_version" -> driver = GpuDraft.present(value);
                case "nvidia_smi_log/cuda_version" -> cuda = GpuDraft.present(value);
                case "nvidia_smi_log/attached_gpus" -> attached = Numbers.integer(value);
                default -> {
                    if (!drafts.isEmpty()) {
                        gpu(drafts.getLast(), parent, name, value);
                    }
                }
            }
        }

        private void gpu(GpuDraft draft, String parent, String name, String value) {
            draft.see(value);
            switch (parent + "/" + name) {
                case "gpu/product_name" -> draft.name(value);
                case "gpu/uuid" -> draft.uuid(value);
                case "gpu/minor_number" -> draft.minor(value);
                case "pci/pci_bus_id" -> draft.busId(value);
                case "fb_memory_usage/total" -> draft.totalMiB(value);
                case "fb_memory_usage/used" -> draft.usedMiB(value);
                case "fb_memory_usage/reserved" -> draft.reservedMiB(value);
                case "utilization/gpu_util" -> draft.utilization(value);
                case "temperature/gpu_temp" -> draft.temperature(value);
                case "gpu_power_readings/instant_power_draw" -> draft.instantPower(value);
                case "gpu_power_readings/power_draw", "power_readings/power_draw" -> secondBest.put(Draw.PLAIN, value);
                case "gpu_power_readings/average_power_draw" -> secondBest.put(Draw.AVERAGE, value);
                case "gpu/gpu_power_readings", "gpu/power_readings" -> powerEnds(draft);
                case "gpu_virtualization_mode/virtualization_mode" -> draft.virtualization(value);
                default -> slowdown(draft, parent, name, value);
            }
        }

        /** A lesser figure counts only where the better one is known to be missing: at the end of the whole block. */
        private void powerEnds(GpuDraft draft) {
            Optional.ofNullable(secondBest.get(Draw.PLAIN)).ifPresent(draft::power);
            Optional.ofNullable(secondBest.get(Draw.AVERAGE)).ifPresent(draft::averagePower);
            secondBest.clear();
        }

        private static void slowdown(GpuDraft draft, String parent, String name, String value) {
            boolean reasons = parent.equals("clocks_event_reasons") || parent.equals("clocks_throttle_reasons");
            if (reasons && value.equals("Active") && !name.endsWith("_gpu_idle")) {
                draft.slowedBy(name.replaceFirst("^clocks_(?:event|throttle)_reason_", ""));
            }
        }

        GpuListing build() {
            if (done && attached.isPresent() && attached.getAsInt() == drafts.size()) {
                for (int i = 0; i < drafts.size(); i++) {
                    drafts.get(i).index(i);
                }
            }
            return new GpuListing(GpuListing.Layout.QUERY_XML, drafts.stream().map(d -> d.build(driver)).toList(),
                    driver, cuda, Optional.empty(), notes.list());
        }
    }
}
