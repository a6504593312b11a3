/** Tests that see Selvage's modules as a stranger does. */
@NullMarked
package io.selvage.verify;

import org.jspecify.annotations.NullMarked;
