# libglnn - `make help` says what can be made.
#
# Nothing is written outside build/. Another compiler or sanitizer has a folder of its own below it,
# and all objects of a folder are made with the same options. A library without some of the optional
# libraries has a folder too, but shares the objects.

MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

# ---- Options of the command line

ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(origin AR),default)
AR := ar
endif
ifeq ($(origin CXX),default)
CXX := $(if $(findstring clang,$(CC)),clang++,g++)
endif
PKG_CONFIG ?= pkg-config
CFLAGS     ?= -O2 -g
CPPFLAGS   ?=
LDFLAGS    ?=
PREFIX     ?= /usr/local
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
BINDIR     ?= $(PREFIX)/bin
MANDIR     ?= $(PREFIX)/share/man
DOCDIR     ?= $(PREFIX)/share/doc/glnn
DESTDIR    ?=
WITHOUT    ?=
MPI        ?= mpi-c
SANITIZE   ?=
WERROR     ?=
V          ?=
ARGS       ?=
TESTS      ?=

# ---- Names

version_part = $(shell sed -n 's/^.define GLNN_VERSION_$(1) \([0-9]*\).*/\1/p' include/glnn/base.h)
MAJOR   := $(call version_part,MAJOR)
VERSION := $(MAJOR).$(call version_part,MINOR).$(call version_part,PATCH)
SONAME  := libglnn.so.$(MAJOR).$(call version_part,MINOR)
MPI_SONAME := libglnn-mpi.so.$(MAJOR).$(call version_part,MINOR)

empty :=
space := $(empty) $(empty)
join_by = $(subst $(space),$(1),$(strip $(2)))

# $(call knows,NAME): "yes" if pkg-config knows this library.
knows = $(shell $(PKG_CONFIG) --exists $(1) 2>/dev/null && echo yes)

sanitizer_address   := asan
sanitizer_undefined := ubsan
sanitizer_thread    := tsan
sanitizer_fuzzer    := fuzz
ifneq ($(SANITIZE),)
ifndef sanitizer_$(SANITIZE)
$(error SANITIZE is '$(SANITIZE)', but can be address, undefined, thread or fuzzer)
endif
endif
# A library built without one of these has another source file in its place. Without mpi there is no
# libglnn-mpi, and the examples have the other file. The library itself never uses imgui and sdl2;
# sdl2 is the microphone of an example. MPI is left out by itself where it is missing, unless the
# command line or the environment names one. So is sdl2.
optional       := glfw lapack png sndfile mpi imgui sdl2
source_glfw    := lib/gl/glfw
source_lapack  := lib/projections/linear
source_png     := lib/io/png_file
source_sndfile := lib/io/sound_file
source_mpi     := examples/common/distributed
source_sdl2    := examples/window/microphone
package_glfw   := glfw3
package_lapack := lapacke
package_png    := libpng
package_sndfile := sndfile
ifneq ($(filter-out $(optional),$(WITHOUT)),)
$(error WITHOUT is '$(WITHOUT)', but can name $(optional) only)
endif
without := $(sort $(WITHOUT))
lacks_mpi := $(if $(filter file,$(origin MPI)),$(if $(call knows,$(MPI)),,mpi))
lacks_sdl2 := $(if $(call knows,sdl2),,sdl2)
with    := $(filter-out $(without) $(lacks_mpi) $(lacks_sdl2),$(optional))

compiler := $(subst /,_,$(call join_by,_,$(filter-out gcc,$(CC))))
in_folder = $(patsubst %,build/%,$(call join_by,-,$(1)))
O        := $(or $(call in_folder,$(compiler) $(sanitizer_$(SANITIZE))),build)
B        := $(or $(call in_folder,$(compiler) $(sanitizer_$(SANITIZE)) $(without:%=without-%)),build)

# ---- Files

shaders         := $(sort $(shell find shaders -name '*.glsl' -o -name '*.vert' -o -name '*.frag'))
templates       := $(sort $(wildcard templates/*.c templates/*.glsl))
left_out        := $(foreach name,$(filter-out imgui $(with),$(optional)),$(source_$(name)).c) \
                   $(foreach name,$(filter-out imgui,$(with)),$(source_$(name))_absent.c)
with_mpi        := $(filter mpi,$(with))
lib_sources     := $(filter-out $(left_out) lib/dist/% lib/gl/web/%,$(sort $(wildcard lib/*/*.c lib/*/*/*.c)))
# libglnn-mpi sees only the public functions of libglnn, so it has copies of these files.
mpi_sources     := $(if $(with_mpi),$(sort $(wildcard lib/dist/*.c)) \
                     $(addprefix lib/base/,pool.c posix/clock.c posix/cores.c posix/thread.c))
common_sources  := $(filter-out $(left_out),$(sort $(wildcard examples/common/*.c)))
trainer_main    := examples/train/main.c
trainer_sources := $(filter-out $(trainer_main),$(sort $(wildcard examples/train/*.c)))
# These examples have a window with a panel. They are built if there is all that they need.
panel_mains     := $(wildcard examples/live.c examples/draw.c examples/hear.c)
panel_sources   := $(sort $(wildcard examples/window/*.cpp))
panel_lacks     := $(firstword $(filter glfw imgui,$(without)) \
                     $(if $(shell command -v $(CXX)),,$(CXX)) \
                     $(if $(call knows,imgui),,imgui))
window_sources  := $(filter-out $(left_out),$(sort $(wildcard examples/window/*.c)))
# The example guest opens a window.
example_sources := $(filter-out $(if $(filter glfw,$(with)),,examples/guest.c) $(panel_mains),\
                     $(sort $(wildcard examples/*.c examples/tutorial/*.c examples/kernels/*.c)))
# The library is C; an example in C++ is built if there is a compiler for it.
cpp_sources     := $(if $(shell command -v $(CXX)),$(sort $(wildcard examples/*.cpp)))
# libFuzzer has the main function of its program.
fuzz_main       := tests/fuzz/fuzz.c
fault_sources   := tests/support/faults.c
loss_source     := tests/support/lost_device.c
support_sources := $(filter-out $(if $(with_mpi),,tests/support/ranks%) $(fuzz_main) \
                     $(fault_sources) $(loss_source),$(sort $(wildcard tests/support/*.c tests/fuzz/*.c)))
user_sources    := $(sort $(wildcard tests/display/*.c))
# Hosts of these libraries are tested where the libraries are.
host_libraries  := sdl2 epoxy
test_of_sdl2    := test_guest_sdl
test_of_epoxy   := test_guest_epoxy
hosts_there     := $(foreach name,$(host_libraries),$(if $(call knows,$(name)),$(name)))
tests_left_out  := $(if $(with_mpi),,tests/test_mpi%) \
                   $(foreach name,$(filter-out $(hosts_there),$(host_libraries)),\
                     tests/$(test_of_$(name)).c)
test_sources    := $(filter-out $(tests_left_out),$(sort $(wildcard tests/test_*.c)))
bench_shared    := $(sort $(wildcard bench/common/*.c))
bench_sources   := $(filter-out $(if $(with_mpi),,bench/bench_scaling.c),$(sort $(wildcard bench/*.c)))
bench_shaders   := $(sort $(wildcard bench/shaders/*))
drawing_sources := $(sort $(wildcard docs/drawings/*.c))
headers         := $(filter-out $(if $(with_mpi),,%/mpi.h),$(sort $(wildcard include/glnn/*.h)))

objects_of = $(patsubst %.c,$(O)/obj/%.o,$(1))
embedded        := $(O)/generated/shaders_embedded
embedded_templates := $(O)/generated/templates_embedded
lib_objects     := $(call objects_of,$(lib_sources)) $(embedded).o $(embedded_templates).o
mpi_objects     := $(call objects_of,$(mpi_sources))
common_objects  := $(call objects_of,$(common_sources))
window_objects  := $(call objects_of,$(window_sources))
panel_objects   := $(if $(panel_lacks),,$(panel_sources:%.cpp=$(O)/obj/%.o))
trainer_objects := $(call objects_of,$(trainer_sources))
support_objects := $(call objects_of,$(support_sources))
fault_objects   := $(call objects_of,$(fault_sources))
loss_object     := $(call objects_of,$(loss_source))
user_objects    := $(call objects_of,$(user_sources))
bench_embedded  := $(O)/generated/bench_embedded
bench_objects   := $(call objects_of,$(bench_shared)) $(bench_embedded).o
published_objects := $(call objects_of,$(wildcard bench/common/published*.c) \
                     $(addprefix bench/common/,arrays.c net.c net_reference.c original.c texture.c)) \
                     $(bench_embedded).o
drawing_objects := $(call objects_of,$(drawing_sources))
all_objects     := $(lib_objects) $(mpi_objects) $(common_objects) $(window_objects) $(panel_objects) \
                   $(trainer_objects) $(support_objects) $(fault_objects) $(loss_object) \
                   $(user_objects) $(bench_objects) $(drawing_objects) \
                   $(call objects_of,$(left_out) $(example_sources) $(panel_mains) $(trainer_main) \
                     $(test_sources) $(fuzz_main) $(bench_sources))

static_lib := $(B)/libglnn.a
shared_lib := $(B)/libglnn.so.$(VERSION)
shared_links := $(B)/$(SONAME) $(B)/libglnn.so
mpi_static := $(if $(with_mpi),$(B)/libglnn-mpi.a)
mpi_shared := $(if $(with_mpi),$(B)/libglnn-mpi.so.$(VERSION))
mpi_links  := $(if $(with_mpi),$(B)/$(MPI_SONAME) $(B)/libglnn-mpi.so)
package_files := $(B)/glnn.pc $(if $(with_mpi),$(B)/glnn-mpi.pc) $(B)/glnn-config.cmake \
                 $(B)/glnn-config-version.cmake
common_lib := $(B)/examples/libcommon.a
window_lib := $(B)/examples/libwindow.a
trainer_lib := $(B)/examples/libtrainer.a
# Archives, because a program that links all of these objects takes three times as long to link.
support_lib := $(B)/tests/libsupport.a
trainer    := $(B)/examples/train
draw_model := $(B)/draw.safetensors
examples   := $(example_sources:%.c=$(B)/%)
cpp_examples := $(cpp_sources:%.cpp=$(B)/%)
panel_examples := $(if $(panel_lacks),,$(panel_mains:%.c=$(B)/%))
tests      := $(test_sources:%.c=$(B)/%)
benches    := $(bench_sources:%.c=$(B)/%)
drawings   := $(B)/docs/drawings/drawings
timed      := $(filter $(B)/bench/bench_%,$(benches))

# The examples that are installed as commands.
example_of_glnn-train := train
commands   := glnn-train
man_pages  := $(B)/man/glnn.7 $(commands:%=$(B)/man/%.1)

# ---- Options

packages := egl glew zlib $(foreach name,$(with),$(package_$(name)))
# pkg-config is asked when a recipe first needs the answer: scripts/deps.sh may have to install it.
once = $(eval $(1) := $$(shell $(2) 2>/dev/null))$($(1))
# Objects are compiled with the options of all libraries that are there, whatever is left out.
package_cflags = $(call once,package_cflags,$(PKG_CONFIG) --cflags cglm egl glew zlib \
                   $$$$(for name in $(foreach name,$(optional),$(package_$(name))); do \
                     $(PKG_CONFIG) --exists $$$$name 2>/dev/null && echo $$$$name; done))
package_libs = $(call once,package_libs,$(PKG_CONFIG) --libs $(packages))
# Warnings in MPI's headers are not ours.
mpi_cflags = $(patsubst -I%,-isystem%,$(call once,mpi_cflags_said,$(PKG_CONFIG) --cflags $(MPI)))
mpi_libs = $(if $(with_mpi),$(call once,mpi_libs_said,$(PKG_CONFIG) --libs $(MPI)))
panel_cflags = $(patsubst -I%,-isystem%,$(call once,panel_cflags_said,$(PKG_CONFIG) --cflags imgui))
panel_libs = $(call once,panel_libs,$(PKG_CONFIG) --libs imgui)
sdl2_cflags = $(patsubst -I%,-isystem%,$(call once,sdl2_cflags_said,$(PKG_CONFIG) --cflags sdl2))
sdl2_libs = $(if $(filter sdl2,$(with)),$(call once,sdl2_libs_said,$(PKG_CONFIG) --libs sdl2))
bench_cflags = $(call once,bench_cflags,$(PKG_CONFIG) --cflags openblas)
bench_libs = $(call once,bench_libs,$(PKG_CONFIG) --libs openblas)
system_libs := -lpthread -lm

# Enumerators are the integer constants of C. The -Wextra of clang 19 warns of arithmetic with them.
warnings := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-enum-float-conversion \
            -Wno-enum-enum-conversion $(if $(filter-out 0,$(WERROR)),-Werror)
sanitize_address   := -fsanitize=address -fno-omit-frame-pointer
sanitize_undefined := -fsanitize=undefined -fno-sanitize-recover=undefined
sanitize_thread    := -fsanitize=thread -fno-omit-frame-pointer
# Programs with the main function of libFuzzer alone link that. The profile counts covered lines.
sanitize_fuzzer    := -fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow \
                      -fno-sanitize-recover=all -fno-omit-frame-pointer \
                      -fprofile-instr-generate -fcoverage-mapping
sanitize := $(sanitize_$(SANITIZE))

cpp_options = -std=c++17 -Wall -Wextra -Wpedantic -Wshadow $(if $(filter-out 0,$(WERROR)),-Werror) \
              $(sanitize) $(CPPFLAGS) $(CFLAGS)
compile_options = -std=c11 $(warnings) -fPIC $(sanitize) $(package_cflags) $(CPPFLAGS) $(CFLAGS)
# The headers of C declare the functions of POSIX with these. The library is written without them,
# except where it meets the system.
posix := -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE
link_options = $(sanitize) $(CFLAGS) -Wl,--as-needed $(LDFLAGS)
libs = $(package_libs) $(system_libs)
# The runtime of a sanitizer is linked into programs, so a library built with one lacks it.
# $(call shared_options,SONAME,MAP)
shared_options = -shared -Wl,-soname,$(1) -Wl,--version-script=$(2) $(if $(SANITIZE),,-Wl,-z,defs)

includes_lib       := -Iinclude -Ilib -fvisibility=hidden
includes_generated := $(includes_lib)
includes_examples  := -Iinclude -Iexamples $(posix)
# Optimisation takes longer than it saves when a test runs, but the references in tests/support
# compute in loops.
includes_tests      = -Iinclude -Ilib -Itests -Iexamples -Ibench $(posix) \
                      $(if $(filter -O2,$(CFLAGS)),$(if $(filter tests/test_%,$*),-O0,-O1))
includes_docs       := -Iinclude -Ilib $(posix)
includes_bench      = -Iinclude -Ilib -Ibench -Itests -Iexamples $(posix) $(bench_cflags)

# One line a file, the command itself under V=1, nothing under make -s.
silent = $(findstring s,$(firstword -$(MAKEFLAGS)))
say = $(if $(V),,@$(if $(silent),,echo '  $(1)	$(patsubst $(B)/%,%,$@)';))

# ---- Goals

.PHONY: all lib examples tests benches programs objects test selftest check check-all check-asan \
        check-ubsan check-tsan check-deb check-abi check-drivers fuzz mutants mnist conv lvq words \
        train live draw hear record bench glvq-curves compare drawings docs man deb install \
        uninstall clean format help prerequisites FORCE

all: lib examples
lib: $(static_lib) $(shared_lib) $(shared_links) $(mpi_static) $(mpi_shared) $(mpi_links) \
     $(package_files)
	@$(if $(and $(filter-out $(without),$(lacks_mpi)),$(if $(silent),,yes)),echo '  libglnn-mpi is\
	    not built without MPI; scripts/deps.sh mpi installs it',:)
examples: $(examples) $(cpp_examples) $(panel_examples) $(trainer)
	@$(if $(and $(panel_lacks),$(if $(silent),,yes)),echo '  the examples live and draw and hear are\
	    not built without $(panel_lacks); scripts/deps.sh window installs what they need',:)
tests: $(tests) examples
benches: $(benches)
	@:
programs: lib tests benches $(drawings)
	@:
objects: $(all_objects)

# As many jobs as processors where the caller has asked for no number.
run_make = $(MAKE) --no-print-directory \
           $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc))

# The programs that TESTS names, with or without a way to run them.
named_tests = $(foreach name,$(TESTS:test_%=%),$(B)/tests/test_$(firstword $(subst _in_, ,$(name))))

test: $(if $(TESTS),$(sort $(named_tests)) examples,tests)
	+@scripts/check.sh tests $(B) $(TESTS)

selftest:
	@scripts/deps.sh build
	+@$(run_make) $(B)/examples/train
	@$(B)/examples/train --selftest $(ARGS)

check:
	@scripts/deps.sh check
	+@$(run_make) WERROR=1 programs
	+@scripts/check.sh all $(B)

# Before each release: all cases of all tables, the sanitizers, 20 seconds of each fuzz target, the
# packages and the ABI.
check-all:
	@GLNN_TEST_ALL=1 $(MAKE) --no-print-directory check
	@$(MAKE) --no-print-directory check-asan
	@$(MAKE) --no-print-directory check-ubsan
	@$(MAKE) --no-print-directory check-tsan
	@$(MAKE) --no-print-directory fuzz ARGS=20
	@$(MAKE) --no-print-directory check-deb
	@$(MAKE) --no-print-directory check-abi

# All cases, or those of sanitized programs, take a few times as long.
check-all check-asan check-tsan check-ubsan: export GLNN_TEST_TIMEOUT ?= 900

check-asan:
	@scripts/deps.sh check
	+@$(run_make) SANITIZE=address test

check-ubsan:
	@scripts/deps.sh check
	+@$(run_make) SANITIZE=undefined test

check-tsan:
	@scripts/deps.sh check
	+@$(run_make) SANITIZE=thread test TESTS='$(threaded)'

# ARGS: the seconds of each target, and perhaps targets.
fuzz:
	@scripts/deps.sh fuzz
	+@$(run_make) CC=clang SANITIZE=fuzzer CFLAGS='-O1 -g' build/clang-fuzz/$(fuzz_main:.c=)
	@scripts/fuzz.sh build/clang-fuzz/$(fuzz_main:.c=) $(or $(ARGS),600)

check-deb: deb
	@scripts/deps.sh release
	@scripts/check_deb.sh $(B)

# This tree and the last tag, or another version.
check-abi:
	@scripts/deps.sh release
	+@$(run_make) lib
	@scripts/check_abi.sh $(BASE)

# ARGS: options of scripts/mutants.py, such as '--count 50 --seed 2 --files lib/ops'.
mutants:
	@scripts/deps.sh check
	+@$(run_make) tests
	@scripts/check.sh with $(B) scripts/mutants.py --build $(B) $(ARGS)

check-drivers:
	@scripts/deps.sh drivers
	+@$(run_make) tests
	@scripts/check_drivers.sh $(B) $(ARGS)

# The programs draw digits of their own if MNIST is not there and cannot be downloaded.
mnist conv lvq train: needs := mnist
live draw: needs := window
live: program := live
draw: program = draw $(if $(findstring --model,$(ARGS)),,--model $(draw_model))
draw: trains = $(if $(findstring --model,$(ARGS))$(wildcard $(draw_model)),,yes)
mnist: program := mnist_mlp
conv: program := mnist_conv
train: program := train
lvq: program := train $(if $(findstring --learner,$(ARGS))$(findstring --load,$(ARGS)),,--learner glvq)

mnist conv lvq train live draw:
	@scripts/deps.sh $(needs)
	+@$(run_make) all
	@case ' $(ARGS)' in *' --data'*) ;; *) scripts/get_mnist.sh --if-needed || true ;; esac
	@$(if $(trains),$(B)/examples/train --epochs 3 --save $(draw_model))
	@$(B)/examples/$(program) $(ARGS)

# The network that `words` trains, and `hear` uses.
words hear: needs = $(if $(filter hear,$@),window,build)
words hear:
	@scripts/deps.sh $(needs)
	+@$(run_make) all
	@$(B)/examples/$@ $(if $(findstring --model,$(ARGS)),,--model $(B)/words.safetensors) $(ARGS)

# One of the trainings of docs/results.md, or all.
record:
	+@$(run_make) all
	@scripts/record.py $(ARGS) $(or $(RUN),all)

bench:
	@scripts/deps.sh bench
	+@$(run_make) benches
	@set -e; for program in $(timed); do echo "== $$program"; $$program $(ARGS); done

# The errors of a serial program and of the device, epoch by epoch, as a table and as a chart.
glvq-curves:
	@scripts/deps.sh bench
	+@$(run_make) $(B)/bench/glvq_curves
	@scripts/get_mnist.sh --if-needed || true
	@$(B)/bench/glvq_curves $(ARGS)
	@bench/plot/plot.sh

# This tree and an older version, which is built too.
compare:
	$(if $(BASE),,$(error BASE names the revision to compare with: make compare BASE=main))
	@scripts/deps.sh bench
	+@$(run_make) $(B)/bench/trainings $(B)/bench/bench_brief
	@scripts/compare.sh $(ARGS) $(BASE) .

# The drawings of the documents and the table of counts, anew.
drawings: $(drawings) $(B)/tests/test_step_costs
	@scripts/check_drawings.sh --write $(B)
	@$(B)/tests/test_step_costs --write

# Fails if Doxygen has a warning.
docs:
	@scripts/deps.sh docs
	@scripts/make_docs.sh $(B)
	@echo '$(B)/reference/html/index.html'

man: $(man_pages)

# The packages of Debian, from what is installed into a folder.
deb:
	@scripts/deps.sh deb
	@rm -rf $(B)/deb
	+@$(run_make) -s install DESTDIR=$(B)/deb/stage PREFIX=/usr BINDIR=/usr/bin \
	    LIBDIR=/usr/lib/$$(dpkg-architecture -qDEB_HOST_MULTIARCH) INCLUDEDIR=/usr/include \
	    MANDIR=/usr/share/man DOCDIR=/usr/share/doc/libglnn-dev
	@scripts/make_deb.sh $(B)/deb '$(packages)' '$(if $(with_mpi),$(MPI))'
	@ls $(B)/deb/*.deb

format:
	@scripts/check_format.sh --write

clean:
	rm -rf build

define help_text
make              the library, static and shared, and the examples; all goes to build/
make check        build without warnings, all tests and checks; installs the packages it needs
make check-all    the same with all cases of all tests, the sanitizers, 20 s of each fuzz target,
                  check-deb and check-abi; before a release
make check-asan   the tests under the address sanitizer; check-ubsan: undefined behaviour;
                  check-tsan: those with threads, under the thread sanitizer
make check-deb    build the packages of Debian, install, use and remove them in a folder
make check-abi    compare the shared libraries with those of the last tag; BASE=v0.3.0
make fuzz         look for inputs that readers of files do not bear, ten minutes for each of the
                  targets; ARGS='60 csv png' takes 60 seconds for these
make mutants      plant faults in the library and see whether the tests fail, an hour for 200;
                  ARGS='--count 20 --files lib/ops', ARGS=--help
make web          the library for browsers, by Emscripten; all goes to build/web/
make check-web    its tests in Chromium without a window
make bench-web    a few training steps and operations in Chromium
make web-pages    serve its pages to a browser here: train, draw; PORT=8000
make check-drivers  tests on other OpenGL drivers of Debian; ARGS='zink virgl' runs these only
make test         the tests alone; TESTS='gemm matrix' runs these only
make selftest     compare each operation on this device with a reference, for bug reports
make mnist        train a network on MNIST; ARGS='--epochs 20 --hidden 300', ARGS=--help
make conv         the same with a convolutional network; ARGS='--net simard', ARGS=--help
make lvq          train prototypes on MNIST; ARGS='--prototypes 10', ARGS=--help
make words        train a network to recognise spoken digits; ARGS='--data DIR', ARGS=--help
make train        train a learner on your own samples; ARGS='--data table.csv', ARGS=--help
make live         watch a network while it learns MNIST, in a window; ARGS=--help
make draw         draw a digit, which a network reads meanwhile, in a window; ARGS=--help
make hear         recognise spoken digits from the microphone, in a window; ARGS=--help
make record       repeat the trainings of docs/results.md; RUN=lenet5 repeats this one
make bench        build and run the benchmarks
make glvq-curves  errors of prototypes in serial C and on the device, epoch by epoch, in 5 minutes
make compare      this tree and another version in turn, five minutes; BASE=main, ARGS='-r 5'
make drawings     make the drawings, the table of passes and docs/tables/counts.md anew
make docs         the reference pages, build/reference/html/index.html; make man: the manual pages
make deb          the packages of Debian, build/deb/*.deb
make install      to PREFIX (/usr/local), LIBDIR, INCLUDEDIR, BINDIR, MANDIR, DOCDIR below DESTDIR;
                  the reference pages if they have been built; uninstall removes all of it
make format       bring all C files into the project's format
make clean        remove build/

CC=clang  SANITIZE=address|undefined|thread|fuzzer  WERROR=1  CFLAGS='-O3'  V=1 (show commands)
WITHOUT='glfw lapack png sndfile mpi imgui sdl2' leaves libraries out: no windows, no PCA and LDA,
                  no PNG and WAV files, no training by several processes, no examples with
                  controls in a window, no microphone; MPI and SDL2 are left out where missing
MPI=mpich: this MPI, by its pkg-config name
endef

help:
	$(info $(help_text))@:

# ---- Files that change only when what they say changes

# $(call keep,text): writes the target where its content is another.
define keep
	$(shell mkdir -p $(@D))$(file >$@.new,$(1))@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
endef

# All that is missing, in one sentence.
prerequisites:
	@missing=; \
	for name in $(firstword $(CC)) $(PKG_CONFIG); do \
	    command -v $$name >/dev/null || missing="$$missing $$name"; \
	done; \
	for name in cglm $(packages) $(if $(with_mpi),$(MPI)); do \
	    $(PKG_CONFIG) --exists $$name 2>/dev/null || missing="$$missing $$name"; \
	done; \
	[ -z "$$missing" ] || { echo "The build needs:$$missing." \
	    'scripts/deps.sh build installs the packages of Debian that have them.' >&2; exit 1; }

# A switch of WERROR alone makes the same objects.
$(O)/options: prerequisites FORCE
	$(call keep,$(CC) $(filter-out -Werror,$(compile_options)) $(link_options) $(MPI))

$(B)/lib.list: FORCE
	$(call keep,$(lib_objects))

$(B)/archives.list: FORCE
	$(call keep,$(common_objects) $(support_objects))

$(O)/shaders.list: FORCE
	$(call keep,$(shaders))

$(O)/templates.list: FORCE
	$(call keep,$(templates))

# Files for those who build against the library say where it is installed and how it is linked.
STATIC_LIBS = $(strip $(libs))
MPI_STATIC_LIBS = $(strip $(mpi_libs) $(system_libs))
INCLUDE_FROM_LIB = $(shell realpath -ms --relative-to='$(LIBDIR)' '$(INCLUDEDIR)')
in_sed = $(subst |,\|,$(subst &,\&,$(1)))

$(package_files): $(B)/%: lib/%.in FORCE
	@mkdir -p $(@D) && sed $(foreach name,PREFIX LIBDIR INCLUDEDIR INCLUDE_FROM_LIB VERSION SONAME \
    STATIC_LIBS MPI_SONAME MPI_STATIC_LIBS, \
	    -e 's|@$(name)@|$(call in_sed,$($(name)))|') $< >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

# ---- Compile and link

$(embedded).c: scripts/embed_shaders.sh $(shaders) $(O)/shaders.list
	$(call say,EMBED)mkdir -p $(@D) && \
	scripts/embed_shaders.sh glnn__embedded_file shaders $(shaders) >$@

$(embedded_templates).c: scripts/embed_shaders.sh $(templates) $(O)/templates.list
	$(call say,EMBED)mkdir -p $(@D) && \
	scripts/embed_shaders.sh glnn__template templates $(templates) >$@

$(bench_embedded).c: scripts/embed_shaders.sh $(bench_shaders)
	$(call say,EMBED)mkdir -p $(@D) && \
	scripts/embed_shaders.sh bench__shader bench/shaders $(bench_shaders) >$@

$(embedded).o $(embedded_templates).o $(bench_embedded).o: %.o: %.c $(O)/options
	$(call say,CC)$(CC) $(compile_options) $(includes_lib) -MMD -MP -c $< -o $@

$(O)/obj/%.o: %.c $(O)/options
	$(call say,CC)mkdir -p $(@D) && \
	$(CC) $(compile_options) $(includes_$(firstword $(subst /, ,$*))) -MMD -MP -c $< -o $@

$(static_lib): $(lib_objects) $(B)/lib.list
	$(call say,AR)rm -f $@ && $(AR) rcs $@ $(lib_objects)

$(shared_lib): $(lib_objects) lib/glnn.map $(B)/lib.list
	$(call say,LD)$(CC) $(link_options) $(call shared_options,$(SONAME),lib/glnn.map) -o $@ \
	    $(lib_objects) $(libs)

$(shared_links): $(shared_lib)
$(mpi_links): $(mpi_shared)
$(shared_links) $(mpi_links):
	@ln -sf $(<F) $@

$(O)/obj/examples/window/microphone.o: includes_examples += $(sdl2_cflags)
$(O)/obj/lib/base/posix/%.o: includes_lib += $(posix)
$(O)/obj/lib/dist/%.o: includes_lib += $(posix) $(mpi_cflags)

$(mpi_static): $(mpi_objects)
	$(call say,AR)rm -f $@ && $(AR) rcs $@ $^

$(mpi_shared): $(mpi_objects) lib/glnn-mpi.map | $(shared_links)
	$(call say,LD)$(CC) $(link_options) $(call shared_options,$(MPI_SONAME),lib/glnn-mpi.map) \
	    -o $@ $(mpi_objects) -L$(B) -lglnn $(mpi_libs) $(system_libs)

$(common_lib): $(common_objects) $(B)/archives.list
$(window_lib): $(window_objects)
$(trainer_lib): $(trainer_objects)
$(support_lib): $(support_objects) $(B)/archives.list
$(common_lib) $(window_lib) $(trainer_lib) $(support_lib):
	$(call say,AR)mkdir -p $(@D) && rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)

# There are many tests and benchmarks, and gold links one in half of the time.
gold := $(if $(shell command -v ld.gold),-fuse-ld=gold)

link_program = $(call say,LD)mkdir -p $(@D) && \
	$(or $(2),$(CC)) $(link_options) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(1) $(mpi_libs) $(libs)

$(examples): $(B)/%: $(O)/obj/%.o $(common_lib) $(mpi_static) $(static_lib)
	$(call link_program)

$(cpp_examples): $(B)/%: %.cpp $(headers) $(static_lib)
	$(call say,LD)mkdir -p $(@D) && \
	$(CXX) $(cpp_options) -Iinclude $< $(static_lib) -Wl,--as-needed $(LDFLAGS) $(libs) -o $@

$(panel_objects): $(O)/obj/%.o: %.cpp $(O)/options
	$(call say,CXX)mkdir -p $(@D) && \
	$(CXX) $(cpp_options) $(panel_cflags) $(includes_examples) -MMD -MP -c $< -o $@

$(panel_examples): $(B)/%: $(O)/obj/%.o $(panel_objects) $(window_lib) $(common_lib) $(mpi_static) \
                   $(static_lib)
	$(call link_program,$(panel_libs) $(sdl2_libs),$(CXX))

$(trainer): $(call objects_of,$(trainer_main)) $(trainer_lib) $(common_lib) $(mpi_static) \
            $(static_lib)
	$(call link_program)

$(B)/tests/test_original $(B)/tests/test_published: $(published_objects)
$(B)/tests/test_scale_model: $(call objects_of,$(wildcard bench/common/scaling_cost.c \
                             bench/common/scaling_figures.c bench/common/scaling_nets.c))

# In these programs allocations and calls of OpenGL and on files can fail on purpose, or are counted.
fault_tests := $(filter $(addprefix %/test_,faults faults_files faults_learners \
                          checkpoint_failures csv csv_types exchange_steps handwriting \
                          image_folder step_costs),$(tests))
$(fault_tests): $(fault_objects)

# This test starts programs with an object that the system loads first, and that says in place of
# the driver that the device was lost.
lost_device := $(B)/tests/lost_device.so
$(filter %/test_examples_loss,$(tests)): | $(lost_device)
$(lost_device): $(loss_object)
	$(call say,LD)mkdir -p $(@D) && $(CC) $(link_options) -shared -o $@ $^ -ldl

# $(call needs_library,NAME): the test of hosts of this library.
define needs_library
$(O)/obj/tests/$(test_of_$(1)).o: includes_tests += $$(shell $(PKG_CONFIG) --cflags $(1))
$(B)/tests/$(test_of_$(1)): test_libs = $$(shell $(PKG_CONFIG) --libs $(1))
endef
$(foreach name,$(hosts_there),$(eval $(call needs_library,$(name))))

# The programs whose code has several threads: the thread sanitizer runs these. It cannot start
# programs that replace the functions of the system, which it replaces itself.
threaded := threads log pool fences guest_release tuning_store program_cache list recording download \
            matrix textures stream stream_errors stream_reads lvq_stream trainer_frames checkpoint \
            exchange exchange_checkpoint exchange_devices exchange_learners exchange_messages \
            exchange_plan exchange_shares $(if $(with_mpi),mpi mpi_sums)

# These replace functions of MPI, or call internal ones of libglnn-mpi.
$(addprefix $(O)/obj/tests/test_mpi_,faults.o window.o): includes_tests += $(mpi_cflags)

# Tests of programs with a window act as their user on an X display.
user_tests := $(filter %/test_examples_live %/test_examples_draw %/test_examples_guest,$(tests))
$(user_tests): $(user_objects)
$(user_tests): test_libs = $(call once,user_libs,$(PKG_CONFIG) --libs xtst x11)

$(tests): $(B)/%: $(O)/obj/%.o $(support_lib) $(trainer_lib) $(window_lib) \
          $(common_lib) $(mpi_static) $(static_lib)
	$(call link_program,$(test_libs) -lcmocka -ldl $(gold))

$(B)/$(fuzz_main:.c=): $(call objects_of,$(fuzz_main)) $(support_lib) $(static_lib)
	$(call link_program,-fsanitize=fuzzer -lcmocka -ldl)

$(benches): $(B)/%: $(O)/obj/%.o $(bench_objects) $(common_lib) \
            $(mpi_static) $(static_lib)
	$(call link_program,$(bench_libs) $(gold))

# The program of the drawings records calls of these functions: the linker passes them to it first.
watched := glnn__reader_fill glnn__reader_take glnn__reader_is_ready glnn__batch_iterator_next \
           glnn__upload_is_free

$(drawings): $(drawing_objects) $(static_lib)
	$(call link_program,$(watched:%=-Wl,--wrap=%))

-include $(all_objects:.o=.d)

# ---- Browsers

include web/web.mk

# ---- Manual pages

$(B)/man/glnn.7: docs/reference/glnn.md scripts/man_page.awk include/glnn/base.h
	$(call say,MAN)mkdir -p $(@D) && awk -v page='glnn(7)' -v version=$(VERSION) \
	    -v summary='matrices and learners on the OpenGL graphics pipeline' \
	    -f scripts/man_page.awk $< >$@

$(commands:%=$(B)/man/%.1): $(B)/man/%.1: $(trainer) scripts/man_page.awk
	$(call say,MAN)mkdir -p $(@D) && $(B)/examples/$(example_of_$*) --help | \
	    awk -v page='$*(1)' -v version=$(VERSION) -f scripts/man_page.awk >$@

# ---- Install

to_lib     := $(DESTDIR)$(LIBDIR)
to_include := $(DESTDIR)$(INCLUDEDIR)/glnn
to_pc      := $(to_lib)/pkgconfig
to_cmake   := $(to_lib)/cmake
to_bin     := $(DESTDIR)$(BINDIR)
to_man     := $(DESTDIR)$(MANDIR)
to_doc     := $(DESTDIR)$(DOCDIR)

install_dirs := PREFIX LIBDIR INCLUDEDIR BINDIR MANDIR DOCDIR

install: lib examples man
	$(foreach name,$(install_dirs),$(if $(filter /%,$($(name))),,$(error \
	    $(name) has to be an absolute path, but is '$($(name))')))
	install -d '$(to_include)' '$(to_pc)' '$(to_cmake)/glnn'
	install -m 644 $(headers) '$(to_include)'
	install -m 644 $(static_lib) $(mpi_static) '$(to_lib)'
	install -m 755 $(shared_lib) $(mpi_shared) '$(to_lib)'
	$(foreach link,$(shared_links),ln -sf $(notdir $(shared_lib)) '$(to_lib)/$(notdir $(link))' &&) :
	$(foreach link,$(mpi_links),ln -sf $(notdir $(mpi_shared)) '$(to_lib)/$(notdir $(link))' &&) :
	install -m 644 $(filter %.pc,$(package_files)) '$(to_pc)'
	install -m 644 $(filter %.cmake,$(package_files)) '$(to_cmake)/glnn'
	install -d '$(to_bin)' '$(to_man)/man1' '$(to_man)/man7'
	$(foreach name,$(commands), \
	    install -m 755 $(B)/examples/$(example_of_$(name)) '$(to_bin)/$(name)' &&) :
	install -m 644 $(filter %.1,$(man_pages)) '$(to_man)/man1'
	install -m 644 $(filter %.7,$(man_pages)) '$(to_man)/man7'
	if [ -d $(B)/reference/html ]; then \
	    install -d '$(to_doc)' && cp -R $(B)/reference/html '$(to_doc)'; \
	fi
	$(if $(DESTDIR),,@echo 'Run ldconfig as root if $(LIBDIR) is among its folders;' \
	    'if not, programs find the library through LD_LIBRARY_PATH.')

# Folders that others have files in stay.
uninstall:
	rm -f $(patsubst include/glnn/%,'$(to_include)/%',$(headers))
	rm -f $(patsubst %,'$(to_lib)/%',$(notdir $(static_lib) $(shared_lib) $(shared_links) \
	    $(mpi_static) $(mpi_shared) $(mpi_links)))
	rm -f '$(to_pc)/glnn.pc' '$(to_pc)/glnn-mpi.pc' \
	    $(patsubst $(B)/%,'$(to_cmake)/glnn/%',$(filter %.cmake,$(package_files)))
	rm -f $(commands:%='$(to_bin)/%') $(commands:%='$(to_man)/man1/%.1') '$(to_man)/man7/glnn.7'
	rm -rf '$(to_doc)/html'
	for folder in '$(to_include)' '$(to_cmake)/glnn' '$(to_cmake)' '$(to_pc)' '$(to_doc)'; do \
	    [ ! -d "$$folder" ] || rmdir --ignore-fail-on-non-empty "$$folder"; \
	done
