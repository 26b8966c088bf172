# Benchmarks in browsers: bench_brief, as it is on the desktop, and the first training step of a page.
# `make bench-web` runs them.

web_bench := $(W)/test/bench_brief.js
web_bench_objects := $(patsubst %.c,$(W)/obj/%.o,bench/bench_brief.c web/bench/blas_absent.c \
    $(addprefix bench/common/,arrays.c conv_nets.c conv_shapes.c conv_widths.c glvq.c glvq_device.c \
    harness.c net.c rounds.c table.c) \
    $(addprefix examples/common/,device.c failure.c folder.c options.c suggestion.c))

$(web_bench_objects): web_includes += -Ibench -Itests -Iexamples

$(web_bench): $(web_bench_objects) $(web_lib) web/src/absent.js $(W)/link_options
	$(call say,EMCC)mkdir -p $(@D) && \
	$(EMCC) $(WEB_CFLAGS) $(web_link) $(web_bench_objects) $(web_lib) -o $@

.PHONY: bench-web
bench-web:
	@scripts/deps.sh check_web
	+@$(run_make) $(web_bench) $(W)/test/program.html $(web_package) $(W)/node_modules
	@for rasteriser in llvmpipe swiftshader; do \
	    echo "== $$rasteriser"; \
	    GALLIVM_PERF= node web/test/run.mjs $(W) $$rasteriser bench_brief $(or $(ARGS),--quick) --who device; \
	    GALLIVM_PERF= node web/bench/first_step.mjs $(W) $$rasteriser; \
	done

-include $(web_bench_objects:.o=.d)
