#!/usr/bin/env node
require('../bundle/start.cjs');
require('../bundle/main.cjs');
