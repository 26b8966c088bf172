# The package for JavaScript: build/web/package, from which npm pack makes a tarball.

P := $(W)/package
web_headers  := $(filter-out %/mpi.h,$(sort $(wildcard include/glnn/*.h)))
web_bound    := $(W)/generated/package
web_modules  := glnn.js handles.js native.js webgl.js draw.js files.js tables.js \
                glnn.d.ts
web_package  := $(addprefix $(P)/,glnn-wasm.js interface.js package.json README.md LICENSE \
                $(web_modules)) $(patsubst web/%,$(P)/%,$(wildcard web/examples/*))

# The functions that the package calls, by name, and what it needs of Emscripten.
web_package_link := $(web_link) -sEXPORTED_FUNCTIONS=@$(web_bound)/exports.json \
    -sEXPORTED_RUNTIME_METHODS=GL,FS,UTF8ToString,stringToUTF8,lengthBytesUTF8,stackSave,stackAlloc,stackRestore,getTempRet0,addFunction \
    -sFORCE_FILESYSTEM=1 -sALLOW_TABLE_GROWTH=1 --no-entry

$(web_bound)/fields.c: web/src/interface.mjs lib/glnn.map $(web_headers)
	$(call say,NODE)mkdir -p $(@D) && node web/src/interface.mjs lib/glnn.map $(@D) $(web_headers)

$(web_bound)/fields.o: $(web_bound)/fields.c $(W)/options
	$(call say,EMCC)$(EMCC) $(web_compile) -MMD -MP -c $< -o $@

$(P)/glnn-wasm.js: export NODE_PATH ?= /usr/share/nodejs
$(P)/glnn-wasm.js: $(web_bound)/fields.o $(web_lib) web/src/absent.js $(W)/link_options \
                     web/package.mk
	$(call say,EMCC)mkdir -p $(@D) && $(EMCC) $(WEB_CFLAGS) $(web_package_link) $< $(web_lib) -o $@

$(P)/interface.js: $(web_bound)/fields.c
	@mkdir -p $(@D) && cp $(web_bound)/interface.js $@

$(P)/%: web/src/%
	@mkdir -p $(@D) && cp $< $@

$(P)/%: web/%
	@mkdir -p $(@D) && cp $< $@

$(P)/LICENSE: LICENSE
	@mkdir -p $(@D) && cp $< $@

-include $(web_bound)/fields.d

# Tests take the package from the tarball of npm, and compare with a program of the library here.
web_packed := $(W)/packed
web_native := $(W)/native/learner

$(web_packed)/package.json: $(web_package)
	$(call say,NPM)mkdir -p $(@D) && cd $(P) && npm pack --silent --pack-destination .. >/dev/null && \
	rm -rf ../packed/package && tar -xzf ../glnn-$(VERSION).tgz -C ../packed && cp package.json ../packed/

$(web_native): web/test/native/learner.c $(shared_links)
	$(call say,CC)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) -Iinclude $< -o $@ -L$(B) -lglnn \
	    -Wl,-rpath,$(CURDIR)/$(B)
