/** The sentences that stand in Kubernetes objects, put into the words in which kubectl prints them. */
package dev.pitwall.doctor.picture.words;
