/**
 * What people read of results: the page of {@code --report}, the summary in words, GitHub's
 * markdown, and two runs side by side. Begin with {@link io.selvage.lab.report.Findings}, which all
 * of them are made from; it comes from a run, or from files by {@link
 * io.selvage.lab.report.Recordings}.
 *
 * <p>Nothing here measures or decides anything: figures, medians and troubles are those of {@link
 * io.selvage.lab.Finding}. The page is written by a template that escapes whatever it shows; the
 * script that draws the charts is handed numbers and texts as one escaped attribute.
 */
@org.jspecify.annotations.NullMarked
package io.selvage.lab.report;
