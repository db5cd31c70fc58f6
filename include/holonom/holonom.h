/* holonom.h: the whole public interface, in reading order. */
#ifndef HOLONOM_HOLONOM_H
#define HOLONOM_HOLONOM_H

#include "version.h"
#include "status.h"
#include "spec.h"
#include "options.h"
#include "model.h"
#include "data.h"
#include "matrix.h"
#include "sim.h"
#include "varied.h"
#include "result.h"
#include "checkpoint.h"
#include "answer.h"
#include "equations.h"
#include "generate.h"
#include "assemblies.h"
#include "kinematics.h"
#include "sensitivity.h"
#include "statics.h"
#include "linearize.h"
#include "inverse.h"
#include "gears.h"
#include "optimize.h"
#include "identify.h"
#include "study.h"
#include "certify.h"
#include "document.h"
#include "exchange.h"
#include "report.h"

#endif
