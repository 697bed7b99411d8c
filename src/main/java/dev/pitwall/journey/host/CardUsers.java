package dev.pitwall.journey.host;

import dev.pitwall.card.PciFunction;
import dev.pitwall.journey.survey.HostSurvey;
import dev.pitwall.read.VmConfigReader;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Who uses a card now: containers through the host's driver, and VMs (facts: proxmox.md 2.3). */
final class CardUsers {
    private static final String NVIDIA = "nvidia";
    /** A device file, or a rule of the control group: NVIDIA's cards are character devices of major 195. */
    private static final Pattern DEVICE = Pattern.compile("/dev/nvidia(\\d{1,2})\\b|\\bc\\s+195:(\\d{1,3}|\\*)");
    private static final Pattern RENDER = Pattern.compile("/dev/dri\\b");
    /** Minors from here on are the driver's control devices, which every user of any card has. */
    private static final int CONTROL = 254;

    private final HostCard card;

    CardUsers(HostCard card) {
        this.card = card;
    }

    /** Containers that have this card's device, running or not. */
    List<HostSurvey.Guest> containers() {
        return card.host().guests().stream().filter(g -> g.type().equals("lxc") && uses(g.config())).toList();
    }

    private boolean uses(Map<String, String> config) {
        return devices(config).anyMatch(this::names);
    }

    private static Stream<String> devices(Map<String, String> config) {
        return config.entrySet().stream().filter(e -> e.getKey().startsWith("dev") || e.getKey().startsWith("lxc"))
                .map(Map.Entry::getValue);
    }

    /** Containers with a render device of the host that is this card's or another's: several have a driver that makes one. */
    List<HostSurvey.Guest> perhaps() {
        boolean own = displaysWithDriver().anyMatch(f -> f.address().sameSlot(card.slot()));
        return own && displaysWithDriver().count() > 1 ? card.host().guests().stream().filter(g -> g.type().equals("lxc"))
                .filter(g -> devices(g.config()).anyMatch(v -> RENDER.matcher(v).find()) && !uses(g.config())).toList()
                : List.of();
    }

    private boolean names(String value) {
        Matcher m = DEVICE.matcher(value);
        while (m.find()) {
            String number = m.group(1) == null ? m.group(2) : m.group(1);
            if (isMinor(number)) {
                return true;
            }
        }
        return RENDER.matcher(value).find() && onlyDisplayWithDriver();
    }

    private boolean isMinor(String number) {
        OptionalInt own = minor();
        return own.isPresent() && (number.equals("*") || Integer.parseInt(number) < CONTROL
                && Integer.parseInt(number) == own.getAsInt());
    }

    /** NVIDIA's driver numbers the cards it holds in the order of their addresses. */
    private OptionalInt minor() {
        List<PciFunction> held = card.host().functions().stream().filter(PciFunction::isNvidiaGpu)
                .filter(f -> f.driver().filter(NVIDIA::equals).isPresent())
                .sorted(Comparator.comparing(PciFunction::address)).toList();
        for (int i = 0; i < held.size(); i++) {
            if (held.get(i).address().sameSlot(card.slot())) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }

    /** Render devices have no card in their name; where only this card has a driver, it is this one. */
    private boolean onlyDisplayWithDriver() {
        List<PciFunction> displays = displaysWithDriver().toList();
        return displays.size() == 1 && displays.getFirst().address().sameSlot(card.slot());
    }

    private Stream<PciFunction> displaysWithDriver() {
        return card.host().functions().stream().filter(f -> f.classCode().filter(c -> c.startsWith("03")).isPresent())
                .filter(f -> f.driver().filter(d -> !d.equals(Devices.VFIO)).isPresent());
    }

    /** VMs that have this card in their configuration, by its address or by a mapping that stands for it. */
    static List<HostSurvey.Guest> holders(HostCard card) {
        return card.host().guests().stream().filter(g -> g.type().equals("qemu") && has(g.config(), card)).toList();
    }

    private static boolean has(Map<String, String> config, HostCard card) {
        return config.entrySet().stream().filter(e -> e.getKey().startsWith("hostpci"))
                .flatMap(e -> VmConfigReader.passthrough(e.getKey(), e.getValue()).stream())
                .anyMatch(p -> p.addresses().stream().anyMatch(a -> a.sameSlot(card.slot()))
                        || p.mapping().filter(card::isMapped).isPresent());
    }

    /** Running VMs with this card that are not the one it is meant for. */
    List<HostSurvey.Guest> otherVms() {
        Optional<Integer> chosen = card.chosenVm();
        return holders(card).stream().filter(HostSurvey.Guest::running)
                .filter(g -> chosen.isPresent() && chosen.get() != g.id()).toList();
    }

    /** NVIDIA's modules that are loaded on the host. */
    List<String> driverModules() {
        return card.host().modules().stream().filter(m -> m.equals(NVIDIA) || m.startsWith(NVIDIA + "_"))
                .filter(m -> !m.equals("nvidiafb")).sorted().toList();
    }

    /** Names of guests for a sentence, for example {@code 105 jellyfin}. */
    static List<String> names(List<HostSurvey.Guest> guests) {
        List<String> names = new ArrayList<>();
        Stream.of(guests).flatMap(List::stream).forEach(g -> names.add(g.id() + " " + g.name()));
        return names;
    }
}
