#!/usr/bin/env node
import { start } from '../bundle/main.js';

await start();
