package dev.pitwall.doctor.picture.cluster;

import dev.pitwall.doctor.catalogue.SignRef;
import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.sign.Cited;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.doctor.sign.Sign;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.doctor.sign.SignBook;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Whether all of the trouble is about devices of another maker. The kubelet and the scheduler have the same words for every
 * device plugin; where a resource of another maker is named, and no line that means something names NVIDIA, none of it is
 * about an NVIDIA card.
 */
final class ForeignCheck implements Check {
    private static final Pattern NVIDIA = Pattern.compile("nvidia|nvml|nvrm|cuda|10de|nouveau|geforce|tesla|dcgm",
            Pattern.CASE_INSENSITIVE);

    @Override
    public void look(Picture picture, SignBook book) {
        Optional<Cited> foreign = book.find(SignRef.of("foreign-device")).stream().findFirst().flatMap(Sign::line);
        foreign.filter(line -> book.all().stream().noneMatch(ForeignCheck::ofNvidia))
                .ifPresent(line -> book.add(Shown.sign("only-foreign-devices", About.NOTHING, line.from(),
                        "the devices that are named are another maker's", Excerpt.of(line))));
    }

    private static boolean ofNvidia(Sign sign) {
        return sign.line().map(line -> NVIDIA.matcher(line.text()).find()).orElse(false)
                || sign.values().values().stream().anyMatch(value -> NVIDIA.matcher(value).find());
    }
}
