# The library for browsers: build/web, by Emscripten, out of the same sources.

W := build/web
EMCC ?= emcc
EMAR ?= emar
WEB_CFLAGS ?= -O2

# Browsers have neither windows of GLFW nor EGL, and Debian has no libraries for Emscripten.
web_left_out := lib/gl/egl%.c lib/gl/glfw.c lib/gl/glew.c lib/gl/read_buffer.c lib/dist/% \
                lib/projections/linear.c lib/io/png_file.c lib/io/sound_file.c
web_sources  := $(filter-out $(web_left_out),$(sort $(wildcard lib/*/*.c lib/*/*/*.c)))
web_programs := $(sort $(wildcard web/test/*.c))
web_objects   = $(patsubst %.c,$(W)/obj/%.o,$(web_sources)) \
                $(W)/generated/shaders_embedded.o $(W)/generated/templates_embedded.o

web_lib   := $(W)/libglnn.a
web_tests := $(patsubst web/test/%.c,$(W)/test/%.js,$(web_programs)) \
             $(patsubst web/test/%.html,$(W)/test/%.html,$(wildcard web/test/*.html))

# cglm consists of headers, which are found through a link, because the other headers of the system
# are not those of a browser.
web_cglm     := $(W)/include/cglm
web_includes  = -Iinclude -Ilib -Ilib/io/web -isystem $(W)/include
web_compile   = -std=c11 $(warnings) $(WEB_CFLAGS) $(posix) $(web_includes)

# Modules of JavaScript, in pages and workers. The memory grows as the program needs it.
web_link := --js-library web/src/absent.js -sMAX_WEBGL_VERSION=2 -sALLOW_MEMORY_GROWTH=1 \
            -sEXIT_RUNTIME=1 -sMODULARIZE=1 -sEXPORT_ES6=1 -sENVIRONMENT=web,worker

# Modules of Node.js that Emscripten uses are here. A Node.js that is not Debian's has to be told.
$(W)/test/%.js: export NODE_PATH ?= /usr/share/nodejs

.PHONY: web check-web files-of-web files-of-check-web

web: web_needs := web
check-web: web_needs := check_web
web check-web:
	@scripts/deps.sh $(web_needs)
	+@$(run_make) files-of-$@
	@web/size.sh $(W)/test/selftest && web/size.sh $(P)/glnn-wasm
	@$(if $(filter check-web,$@),web/test/check.sh $(W) $(ARGS),:)

$(W)/options: FORCE
	$(call keep,$(EMCC) $(filter-out -Werror,$(web_compile)))

$(W)/link_options: FORCE
	$(call keep,$(web_link))

$(web_cglm):
	@mkdir -p $(@D) && ln -sfn "$$($(PKG_CONFIG) --variable=includedir cglm)/cglm" $@

$(W)/generated/shaders_embedded.c: scripts/embed_shaders.sh $(shaders) $(O)/shaders.list
	$(call say,EMBED)mkdir -p $(@D) && \
	scripts/embed_shaders.sh glnn__embedded_file shaders $(shaders) >$@

$(W)/generated/templates_embedded.c: scripts/embed_shaders.sh $(templates) $(O)/templates.list
	$(call say,EMBED)mkdir -p $(@D) && \
	scripts/embed_shaders.sh glnn__template templates $(templates) >$@

$(W)/generated/%.o: $(W)/generated/%.c $(W)/options
	$(call say,EMCC)$(EMCC) $(web_compile) -MMD -MP -c $< -o $@

$(W)/obj/%.o: %.c $(W)/options | $(web_cglm)
	$(call say,EMCC)mkdir -p $(@D) && $(EMCC) $(web_compile) -MMD -MP -c $< -o $@

$(web_lib): $(web_objects)
	$(call say,EMAR)rm -f $@ && $(EMAR) rcs $@ $^

$(W)/test/%.js: $(W)/obj/web/test/%.o $(web_lib) web/src/absent.js $(W)/link_options
	$(call say,EMCC)mkdir -p $(@D) && $(EMCC) $(WEB_CFLAGS) $(web_link) $< $(web_lib) -o $@

$(W)/test/%.html: web/test/%.html
	@mkdir -p $(@D) && cp $< $@

# npm installs what the tests need.
$(W)/node_modules: web/package.json
	$(call say,NPM)mkdir -p $(@D) && cp $< $(@D)/ && \
	npm install --prefix $(@D) --silent --no-audit --no-fund --no-package-lock && touch $@

-include $(web_objects:.o=.d) $(patsubst %.c,$(W)/obj/%.d,$(web_programs))
include web/package.mk
include web/bench.mk
include web/pages.mk

# Objects of programs are kept, because `make web` would otherwise link them again.
files-of-web: $(web_lib) $(web_tests) $(web_package) $(web_pages)
	@:
files-of-check-web: files-of-web $(W)/node_modules $(web_packed)/package.json $(web_native) \
                    $(B)/examples/train
	@:
.SECONDARY: $(patsubst %.c,$(W)/obj/%.o,$(web_programs))
