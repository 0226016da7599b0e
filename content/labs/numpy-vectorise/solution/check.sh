#!/bin/bash
# Checks kernels.py and runs the notebook. Runs in a copy of bundle + solution.
set -euo pipefail
python3 check_kernels.py
python3 run_notebook.py numpy-vectorise.ipynb --figures 3
