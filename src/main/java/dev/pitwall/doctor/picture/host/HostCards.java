package dev.pitwall.doctor.picture.host;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.VmReport.Passthrough;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.picture.Picture.Seen;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.read.IommuGroups;
import dev.pitwall.read.KernelCommandLine;
import dev.pitwall.read.PciListing;
import dev.pitwall.read.VmConfig;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Words that several checks of a host share: which functions are a card's, and which of them are meant for VMs. */
final class HostCards {
    private static final Set<String> ID_OPTIONS = Set.of("vfio-pci.ids", "vfio_pci.ids");

    private HostCards() {
    }

    /** True for an NVIDIA display device, also where a listing names classes and gives no codes. */
    static boolean isCard(PciFunction function) {
        boolean shown = function.className().map(c -> c.toLowerCase(Locale.ROOT))
                .filter(c -> c.startsWith("vga") || c.startsWith("3d") || c.startsWith("display")).isPresent();
        return function.isNvidiaGpu()
                || function.vendorId().filter(PciFunction.NVIDIA::equals).isPresent() && shown;
    }

    /** True for what stays on the host whatever group it is in. */
    static boolean isBridge(PciFunction function) {
        return function.isBridge()
                || function.className().filter(c -> c.toLowerCase(Locale.ROOT).endsWith("bridge")).isPresent();
    }

    /** Slots that configurations of VMs name. */
    static Set<PciAddress> attachedSlots(Picture picture) {
        return picture.outputs(VmConfig.class).stream().flatMap(vm -> vm.what().passthrough().stream())
                .map(Passthrough::addresses).flatMap(List::stream).map(PciAddress::slot).collect(Collectors.toSet());
    }

    /** {@code vvvv:dddd} of devices that the kernel's command line gives to vfio-pci. */
    static Set<String> idsForVfio(Picture picture) {
        Set<String> ids = new HashSet<>();
        for (Seen<KernelCommandLine> line : picture.outputs(KernelCommandLine.class)) {
            ID_OPTIONS.forEach(option -> line.what().value(option).ifPresent(value -> Arrays.stream(value.split(","))
                    .map(id -> id.strip().toLowerCase(Locale.ROOT)).forEach(ids::add)));
        }
        return ids;
    }

    /** What lspci said of each function, for listings that have less. */
    static Map<PciAddress, PciFunction> listed(Picture picture) {
        return picture.outputs(PciListing.class).stream().flatMap(l -> l.what().devices().stream())
                .collect(Collectors.toMap(PciFunction::address, Function.identity(), (first, later) -> first));
    }

    /** How lists name it that leave out the first domain. */
    static String brief(PciAddress address) {
        return address.toString().replaceFirst("^0000:", "");
    }

    /** Where lspci lists these. */
    static Stream<Excerpt> lines(Picture picture, Collection<PciAddress> functions) {
        List<String> names = functions.stream().sorted().map(HostCards::brief).toList();
        return picture.outputs(PciListing.class).stream().map(listing -> listing.shown(names));
    }

    /** Where configurations of VMs and the kernel's command line name a card. */
    static Stream<Excerpt> wishes(Picture picture, PciFunction function) {
        String slot = brief(function.address().slot());
        String bare = slot.replaceFirst("\\.\\d$", "");
        return Stream.concat(picture.outputs(VmConfig.class).stream().filter(vm -> vm.what().passthrough().stream()
                        .anyMatch(p -> p.addresses().stream().anyMatch(function.address()::sameSlot))).map(vm -> vm.shown(bare)),
                picture.outputs(KernelCommandLine.class).stream().filter(line -> ID_OPTIONS.stream()
                                .anyMatch(option -> line.what().value(option).isPresent()))
                        .map(line -> line.shown(function.vendorDevice().orElse("vfio"))));
    }

    /** Functions of a group, each with what lspci knows of it. */
    static List<PciFunction> members(IommuGroups.Group group, Map<PciAddress, PciFunction> listed) {
        return group.devices().stream().map(d -> d.vendorId().isPresent() && d.driver().isPresent() ? d
                : listed.getOrDefault(d.address(), d)).toList();
    }
}
