/* glnn/glnn.h - all of libglnn: matrices in float textures, computed by the graphics pipeline */
#ifndef GLNN_GLNN_H
#define GLNN_GLNN_H

#include <glnn/advice.h>
#include <glnn/base.h>
#include <glnn/codebook.h>
#include <glnn/context.h>
#include <glnn/copy.h>
#include <glnn/csv.h>
#include <glnn/curve.h>
#include <glnn/dataset.h>
#include <glnn/distortion.h>
#include <glnn/exchange.h>
#include <glnn/export.h>
#include <glnn/fields.h>
#include <glnn/gemm.h>
#include <glnn/gmm.h>
#include <glnn/handwriting.h>
#include <glnn/idx.h>
#include <glnn/image.h>
#include <glnn/inspection.h>
#include <glnn/kernel.h>
#include <glnn/kmeans.h>
#include <glnn/layer.h>
#include <glnn/learner.h>
#include <glnn/list.h>
#include <glnn/lvq.h>
#include <glnn/map.h>
#include <glnn/matrix.h>
#include <glnn/metrics.h>
#include <glnn/nearest.h>
#include <glnn/network.h>
#include <glnn/npy.h>
#include <glnn/optimizer.h>
#include <glnn/preparation.h>
#include <glnn/projection.h>
#include <glnn/reduce.h>
#include <glnn/safetensors.h>
#include <glnn/scale.h>
#include <glnn/selftest.h>
#include <glnn/sound.h>
#include <glnn/svm.h>
#include <glnn/texture.h>
#include <glnn/train.h>
#include <glnn/trainer.h>

#endif
