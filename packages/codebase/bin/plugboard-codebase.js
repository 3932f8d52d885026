#!/usr/bin/env node
import '../bundle/program/main.mjs';
