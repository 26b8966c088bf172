# The pages: build/web/pages, beside the package that they import. `make web-pages` serves them.

web_pages := $(patsubst web/pages/%,$(W)/pages/%,$(wildcard web/pages/*.html web/pages/*.css \
             web/pages/*.js)) $(W)/pages/strokes.js
PORT ?= 8000

.PHONY: web-pages
web-pages: web
	@node web/serve.mjs $(W) $(PORT) pages/index.html

$(W)/pages/%.html: web/pages/%.html web/pages/page.mjs
	@mkdir -p $(@D) && node web/pages/page.mjs $< >$@

$(W)/pages/%: web/pages/%
	@mkdir -p $(@D) && cp $< $@

# Digits as strokes, from the table of the examples.
$(W)/pages/strokes.js: web/pages/strokes.mjs examples/common/strokes.c
	$(call say,NODE)mkdir -p $(@D) && node $^ >$@
