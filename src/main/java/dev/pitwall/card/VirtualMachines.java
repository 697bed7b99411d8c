package dev.pitwall.card;

import java.util.regex.Pattern;

/** Tells by a machine's product name whether it is a virtual one. Names: systemd's {@code virt.c} and QEMU's defaults. */
final class VirtualMachines {
    private final Pattern products;

    VirtualMachines(FloorTexts texts) {
        this.products = Pattern.compile(texts.say("virtual.products"), Pattern.CASE_INSENSITIVE);
    }

    /** @param product with blanks, or with hyphens as in a node label */
    boolean matches(String product) {
        return products.matcher(product.replace('-', ' ')).find();
    }
}
