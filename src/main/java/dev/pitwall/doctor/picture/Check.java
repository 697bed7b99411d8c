package dev.pitwall.doctor.picture;

import dev.pitwall.doctor.sign.SignBook;

/**
 * Compares things of the picture with each other and notes what follows, as signs. A check is a pure function and never
 * throws, whatever is missing from the picture: what is not there says nothing.
 */
@FunctionalInterface
public interface Check {

    void look(Picture picture, SignBook book);
}
