package dev.pitwall.card;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Tells which device of a node is which card. */
final class DeviceMatch {

    enum By {
        /** The node is the machine: same address. */
        ADDRESS,
        /** A guest has addresses of its own: product names first, then ascending order on both sides. */
        NAME_THEN_ORDER
    }

    private DeviceMatch() {
    }

    /**
     * @param slots   cards in the order of their {@code hostpciN}
     * @param devices in the order of their bus
     * @return the device of each card that has one; never one device twice
     */
    static <S> Map<S, GpuDevice> match(List<S> slots, List<GpuDevice> devices, Function<S, PciAddress> address,
                                       Function<S, Optional<String>> product, By by) {
        Map<S, GpuDevice> matched = new HashMap<>();
        List<GpuDevice> free = new ArrayList<>(devices);
        for (S slot : slots) {
            free.stream().filter(d -> switch (by) {
                case ADDRESS -> d.busId().filter(address.apply(slot)::sameSlot).isPresent();
                case NAME_THEN_ORDER -> sameProduct(product.apply(slot), d);
            }).findFirst().ifPresent(device -> {
                matched.put(slot, device);
                free.remove(device);
            });
        }
        if (by == By.NAME_THEN_ORDER) {
            slots.stream().filter(s -> !matched.containsKey(s)).limit(free.size()).toList()
                    .forEach(s -> matched.put(s, free.removeFirst()));
        }
        return matched;
    }

    /** One name is often longer than the other ("RTX 3060" and "RTX 3060 Lite Hash Rate"). */
    private static boolean sameProduct(Optional<String> slotName, GpuDevice device) {
        return slotName.isPresent() && device.name().map(ProductName::shorten)
                .filter(n -> n.startsWith(slotName.get()) || slotName.get().startsWith(n)).isPresent();
    }
}
