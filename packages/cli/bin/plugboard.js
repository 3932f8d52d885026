#!/usr/bin/env node
require('../bundle/main.cjs');
