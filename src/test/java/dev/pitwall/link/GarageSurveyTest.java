package dev.pitwall.link;

import dev.pitwall.journey.survey.HostSurvey;
import dev.pitwall.journey.survey.HostSurveyor;
import dev.pitwall.journey.survey.VmSurvey;
import dev.pitwall.journey.survey.VmSurveyor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.time.InstantSource;

class GarageSurveyTest {
    @RegisterExtension
    static final GarageSystems GARAGE = new GarageSystems();

    @Test
    void aHost() throws Exception {
        HostSurvey s = new HostSurveyor(InstantSource.system()).survey(GARAGE.systems(), "pve2");
        s.shown().forEach((k, v) -> System.out.println("== " + k + " " + v.ok() + " " + v.source().detail() + "\n" + v.raw().substring(0, Math.min(300, v.raw().length()))));
        System.out.println(s.toString().replace(", ", ",\n"));
    }

    @Test
    void aVm() throws Exception {
        VmSurvey s = new VmSurveyor(InstantSource.system()).survey(GARAGE.systems(), "pve2", 122);
        System.out.println(s.toString().replace(", ", ",\n"));
    }
}
