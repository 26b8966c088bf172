# libglnn - `make help` says what can be made.
#
# Nothing is written outside build/. Objects of another compiler or sanitizer go to a folder of
# their own below it, and all objects of a folder are made with the same options.

MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

# ---- What can be chosen on the command line

ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(origin AR),default)
AR := ar
endif
PKG_CONFIG ?= pkg-config
CFLAGS     ?= -O2 -g
CPPFLAGS   ?=
LDFLAGS    ?=
PREFIX     ?= /usr/local
DESTDIR    ?=
SANITIZE   ?=
WERROR     ?=
V          ?=
ARGS       ?=
TESTS      ?=

# ---- Names

version_part = $(shell sed -n 's/^.define GLNN_VERSION_$(1) //p' include/glnn/base.h)
MAJOR   := $(call version_part,MAJOR)
VERSION := $(MAJOR).$(call version_part,MINOR).$(call version_part,PATCH)
SONAME  := libglnn.so.$(MAJOR)

empty :=
space := $(empty) $(empty)
join_by = $(subst $(space),$(1),$(strip $(2)))

sanitizer_address   := asan
sanitizer_undefined := ubsan
ifneq ($(SANITIZE),)
ifndef sanitizer_$(SANITIZE)
$(error SANITIZE is '$(SANITIZE)', but can be address or undefined)
endif
endif
compiler := $(subst /,_,$(call join_by,_,$(filter-out gcc,$(CC))))
config   := $(call join_by,-,$(compiler) $(sanitizer_$(SANITIZE)))
B        := build$(config:%=/%)

# ---- Files

shaders         := $(sort $(shell find shaders -name '*.glsl' -o -name '*.vert' -o -name '*.frag'))
lib_sources     := $(sort $(wildcard lib/*/*.c))
common_sources  := $(sort $(wildcard examples/common/*.c))
example_sources := $(sort $(wildcard examples/*.c))
support_sources := $(sort $(wildcard tests/support/*.c))
test_sources    := $(sort $(wildcard tests/test_*.c))
bench_shared    := $(sort $(wildcard bench/common/*.c))
bench_sources   := $(sort $(wildcard bench/*.c))
headers         := $(sort $(wildcard include/glnn/*.h))

objects_of = $(patsubst %.c,$(B)/obj/%.o,$(1))
embedded        := $(B)/generated/shaders_embedded
lib_objects     := $(call objects_of,$(lib_sources)) $(embedded).o
common_objects  := $(call objects_of,$(common_sources))
support_objects := $(call objects_of,$(support_sources))
bench_objects   := $(call objects_of,$(bench_shared))
all_objects     := $(lib_objects) $(common_objects) $(support_objects) $(bench_objects) \
                   $(call objects_of,$(example_sources) $(test_sources) $(bench_sources))

static_lib := $(B)/libglnn.a
shared_lib := $(B)/libglnn.so.$(VERSION)
shared_links := $(B)/$(SONAME) $(B)/libglnn.so
common_lib := $(B)/examples/libcommon.a
examples   := $(example_sources:%.c=$(B)/%)
tests      := $(test_sources:%.c=$(B)/%)
benches    := $(bench_sources:%.c=$(B)/%)

# ---- Options

packages := egl glew glfw3 zlib libpng yajl lapacke
# pkg-config is asked when a recipe first needs the answer: scripts/deps.sh may have to install it.
once = $(eval $(1) := $$(shell $(2) 2>/dev/null))$($(1))
package_cflags = $(call once,package_cflags,$(PKG_CONFIG) --cflags cglm $(packages))
package_libs = $(call once,package_libs,$(PKG_CONFIG) --libs $(packages))
bench_cflags = $(call once,bench_cflags,$(PKG_CONFIG) --cflags openblas)
bench_libs = $(call once,bench_libs,$(PKG_CONFIG) --libs openblas)
system_libs := -lpthread -lm -ldl

warnings := -Wall -Wextra -Wpedantic -Wshadow -Wconversion $(if $(filter-out 0,$(WERROR)),-Werror)
sanitize_address   := -fsanitize=address -fno-omit-frame-pointer
sanitize_undefined := -fsanitize=undefined -fno-sanitize-recover=undefined
sanitize := $(sanitize_$(SANITIZE))

compile_options = -std=c11 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE $(warnings) -fPIC \
                  $(sanitize) $(package_cflags) $(CPPFLAGS) $(CFLAGS)
link_options = $(sanitize) $(CFLAGS) -Wl,--as-needed $(LDFLAGS)
libs = $(package_libs) $(system_libs)
# The runtime of a sanitizer is linked into programs, so a library built with one lacks it.
shared_options = -shared -Wl,-soname,$(SONAME) -Wl,--version-script=lib/glnn.map \
                 $(if $(SANITIZE),,-Wl,-z,defs)

includes_lib       := -Iinclude -Ilib -fvisibility=hidden
includes_generated := $(includes_lib)
includes_examples  := -Iinclude -Iexamples
includes_tests     := -Iinclude -Ilib -Itests -Iexamples
includes_bench      = -Iinclude -Ilib -Ibench -Iexamples $(bench_cflags)

# One line a file, the command itself under V=1, nothing under make -s.
silent = $(findstring s,$(firstword -$(MAKEFLAGS)))
say = $(if $(V),,@$(if $(silent),,echo '  $(1)	$(patsubst $(B)/%,%,$@)';))

# ---- Goals

.PHONY: all lib examples tests benches programs objects test check check-asan check-ubsan mnist lvq \
        bench install uninstall clean format help FORCE

all: lib examples
lib: $(static_lib) $(shared_lib) $(shared_links) $(B)/glnn.pc
examples: $(examples)
tests: $(tests) examples
benches: $(benches)
	@:
programs: lib tests benches
	@:
objects: $(all_objects)

# As many jobs as processors where the caller has asked for no number.
run_make = $(MAKE) --no-print-directory \
           $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc))

test: tests
	+@scripts/check.sh tests $(B) $(TESTS)

check:
	@scripts/deps.sh check
	+@$(run_make) WERROR=1 programs
	+@scripts/check.sh all $(B)

# Sanitized programs take a few times as long.
check-asan check-ubsan: export GLNN_TEST_TIMEOUT ?= 900

check-asan:
	@scripts/deps.sh check
	+@$(run_make) SANITIZE=address test

check-ubsan:
	@scripts/deps.sh check
	+@$(run_make) SANITIZE=undefined test

# The trainers draw digits of their own where there is no MNIST and none can be downloaded.
mnist: trainer := mnist_mlp
lvq: trainer := lvq

mnist lvq:
	@scripts/deps.sh mnist
	+@$(run_make) all
	@case ' $(ARGS)' in *' --data'*) ;; *) scripts/get_mnist.sh --if-needed || true ;; esac
	@$(B)/examples/$(trainer) $(ARGS)

bench:
	@scripts/deps.sh bench
	+@$(run_make) benches
	@set -e; for program in $(benches); do echo "== $$program"; $$program $(ARGS); done

format:
	@scripts/check_format.sh --write

clean:
	rm -rf build

define help_text
make              the library, static and shared, and the examples; all goes to build/
make check        build without warnings, all tests and checks; installs the packages it needs
make check-asan   the tests under the address sanitizer; check-ubsan: undefined behaviour
make test         the tests alone; TESTS='gemm matrix' runs these only
make mnist        train a network on MNIST; ARGS='--epochs 20 --hidden 300', ARGS=--help
make lvq          train prototypes on MNIST; ARGS='--learner gmlvq --data table.csv', ARGS=--help
make bench        build and run the benchmarks
make install      to PREFIX (/usr/local) below DESTDIR; uninstall takes it away
make format       bring all C files into the project's format
make clean        remove build/

CC=clang  SANITIZE=address|undefined  WERROR=1  CFLAGS='-O3'  V=1 (show commands)
endef

help:
	$(info $(help_text))@:

# ---- Files that change only when what they say changes

# $(call keep,text): writes the target where its content is another.
define keep
	$(shell mkdir -p $(@D))$(file >$@.new,$(1))@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
endef

# A switch of WERROR alone makes the same objects.
$(B)/options: FORCE
	@$(PKG_CONFIG) --exists --print-errors cglm $(packages) || \
	    { echo 'Packages are missing: scripts/deps.sh build installs them.' >&2; exit 1; }
	$(call keep,$(CC) $(filter-out -Werror,$(compile_options)) $(link_options))

$(B)/lib.list: FORCE
	$(call keep,$(lib_objects))

$(B)/shaders.list: FORCE
	$(call keep,$(shaders))

define pc_text
prefix=$(PREFIX)
libdir=$${prefix}/lib
includedir=$${prefix}/include

Name: glnn
Description: Matrices and neural networks computed by the OpenGL graphics pipeline
Version: $(VERSION)
Requires.private: $(packages)
Libs: -L$${libdir} -lglnn
Libs.private: $(system_libs)
Cflags: -I$${includedir}
endef

$(B)/glnn.pc: FORCE
	$(call keep,$(pc_text))

# ---- Compile and link

$(embedded).c: scripts/embed_shaders.sh $(shaders) $(B)/shaders.list
	$(call say,EMBED)mkdir -p $(@D) && scripts/embed_shaders.sh $(shaders) >$@

$(embedded).o: $(embedded).c $(B)/options
	$(call say,CC)$(CC) $(compile_options) $(includes_lib) -MMD -MP -c $< -o $@

$(B)/obj/%.o: %.c $(B)/options
	$(call say,CC)mkdir -p $(@D) && \
	$(CC) $(compile_options) $(includes_$(firstword $(subst /, ,$*))) -MMD -MP -c $< -o $@

$(static_lib): $(lib_objects) $(B)/lib.list
	$(call say,AR)rm -f $@ && $(AR) rcs $@ $(lib_objects)

$(shared_lib): $(lib_objects) lib/glnn.map $(B)/lib.list
	$(call say,LD)$(CC) $(link_options) $(shared_options) -o $@ $(lib_objects) $(libs)

$(shared_links): $(shared_lib)
	@ln -sf $(<F) $@

$(common_lib): $(common_objects)
	$(call say,AR)mkdir -p $(@D) && rm -f $@ && $(AR) rcs $@ $^

link_program = $(call say,LD)mkdir -p $(@D) && \
	$(CC) $(link_options) -o $@ $(filter %.o %.a,$^) $(1) $(libs)

$(examples): $(B)/%: $(B)/obj/%.o $(common_lib) $(static_lib)
	$(call link_program)

$(tests): $(B)/%: $(B)/obj/%.o $(support_objects) $(common_lib) $(static_lib)
	$(call link_program,-lcmocka)

$(benches): $(B)/%: $(B)/obj/%.o $(bench_objects) $(common_lib) $(static_lib)
	$(call link_program,$(bench_libs))

-include $(all_objects:.o=.d)

# ---- Install

place := $(DESTDIR)$(PREFIX)

install: lib
	install -d '$(place)/include/glnn' '$(place)/lib/pkgconfig'
	install -m 644 $(headers) '$(place)/include/glnn'
	install -m 644 $(static_lib) '$(place)/lib'
	install -m 755 $(shared_lib) '$(place)/lib'
	ln -sf $(notdir $(shared_lib)) '$(place)/lib/$(SONAME)'
	ln -sf $(notdir $(shared_lib)) '$(place)/lib/libglnn.so'
	install -m 644 $(B)/glnn.pc '$(place)/lib/pkgconfig'
	$(if $(DESTDIR),,@echo 'Run ldconfig as root if $(PREFIX)/lib is among its folders;' \
	    'if not, programs find the library through LD_LIBRARY_PATH.')

uninstall:
	rm -f $(patsubst include/%,'$(place)/include/%',$(headers))
	rm -f $(patsubst %,'$(place)/lib/%',libglnn.a libglnn.so $(SONAME) libglnn.so.$(VERSION))
	rm -f '$(place)/lib/pkgconfig/glnn.pc'
	-rmdir '$(place)/include/glnn'
