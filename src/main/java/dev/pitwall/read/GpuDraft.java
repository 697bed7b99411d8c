package dev.pitwall.read;

import dev.pitwall.card.GpuDevice;
import dev.pitwall.card.PciAddress;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One GPU while its values are still being read. Values are given as nvidia-smi's text, with units; "N/A" and its kin
 * leave them empty.
 */
final class GpuDraft {

    private static final Set<String> NOTHING = Set.of("", "N/A", "[N/A]", "[Not Supported]", "Not Supported", "None",
            "Requested functionality has been deprecated", "Unknown Error", "[Unknown Error]", "ERR!", "GPU is lost",
            "[GPU is lost]", "Insufficient Permissions", "[Insufficient Permissions]", "Not Found");

    private OptionalInt index = OptionalInt.empty();
    private OptionalInt minor = OptionalInt.empty();
    private Optional<String> name = Optional.empty();
    private Optional<String> uuid = Optional.empty();
    private Optional<PciAddress> busId = Optional.empty();
    private Optional<String> driver = Optional.empty();
    private OptionalLong total = OptionalLong.empty();
    private OptionalLong used = OptionalLong.empty();
    private OptionalLong reserved = OptionalLong.empty();
    private OptionalDouble utilization = OptionalDouble.empty();
    private OptionalDouble temperature = OptionalDouble.empty();
    private OptionalDouble instantPower = OptionalDouble.empty();
    private OptionalDouble power = OptionalDouble.empty();
    private OptionalDouble averagePower = OptionalDouble.empty();
    private Optional<String> virtualization = Optional.empty();
    private final List<String> slowedBy = new ArrayList<>();
    private boolean lost;

    /** What the value says, unless it says "not available". */
    static Optional<String> present(String value) {
        String v = value.strip();
        return NOTHING.contains(v) ? Optional.empty() : Optional.of(v);
    }

    /** Remembers "GPU is lost" wherever it stands. */
    void see(String value) {
        lost |= value.contains("GPU is lost");
    }

    void index(int position) {
        index = OptionalInt.of(position);
    }

    void index(String value) {
        index = Numbers.integer(value);
    }

    void minor(String value) {
        minor = Numbers.integer(value);
    }

    void name(String value) {
        name = present(value);
    }

    void uuid(String value) {
        uuid = present(value).filter(u -> u.startsWith("GPU-"));
    }

    void busId(String value) {
        busId = PciAddress.parse(value);
    }

    void driver(String value) {
        driver = present(value);
    }

    void totalMiB(String value) {
        total = mib(value);
    }

    void usedMiB(String value) {
        used = mib(value);
    }

    void reservedMiB(String value) {
        reserved = mib(value);
    }

    void utilization(String value) {
        utilization = number(value, "%");
    }

    void temperature(String value) {
        temperature = number(value, "C");
    }

    void instantPower(String value) {
        instantPower = number(value, "W");
    }

    void power(String value) {
        power = number(value, "W");
    }

    void averagePower(String value) {
        averagePower = number(value, "W");
    }

    void virtualization(String value) {
        virtualization = present(value).or(() -> value.strip().equals("None") ? Optional.of("None") : Optional.empty());
    }

    void slowedBy(String reason) {
        slowedBy.add(reason);
    }

    boolean hasName() {
        return name.isPresent();
    }

    boolean hasUuid() {
        return uuid.isPresent();
    }

    private static OptionalLong mib(String value) {
        return Numbers.rounded(number(value, "MiB"));
    }

    /** With or without its unit: {@code --format=csv,nounits} leaves it out. A spreadsheet may write 12.5 as 12,5. */
    private static OptionalDouble number(String value, String unit) {
        String point = value.strip().replaceFirst("^([+-]?\\d+),(\\d{1,2})(?!\\d)", "$1.$2");
        OptionalDouble with = Numbers.withUnit(point, unit);
        return with.isPresent() ? with : Numbers.decimal(point);
    }

    /** @param fallback the driver version of the whole output */
    GpuListing.Gpu build(Optional<String> fallback) {
        // Order of trust: facts on nvidia-smi's power readings.
        OptionalDouble watts = instantPower.isPresent() ? instantPower : power.isPresent() ? power : averagePower;
        return new GpuListing.Gpu(new GpuDevice(index, name, uuid, busId, driver.or(() -> fallback), total, used,
                utilization, temperature, watts, OptionalInt.empty()), minor, reserved, virtualization, lost, slowedBy);
    }
}
