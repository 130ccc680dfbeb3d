# What runs the app anywhere? docker build -t tiekit . && docker run --rm -p 8501:8501 tiekit
# Two stages: the first installs, the second holds Python, the app and its compiled loops, and no tools to build with.
# The CI builds and starts it.
ARG PYTHON=3.13

FROM docker.io/library/python:${PYTHON}-slim AS build
WORKDIR /src
COPY pyproject.toml uv.lock README.md LICENSE app.py ./
COPY tiekit tiekit
COPY ui ui
COPY pages pages
COPY data data
COPY .streamlit .streamlit
# The versions of uv.lock, each archive with its digest; a later release of a package changes nothing until the lock does.
RUN python -m venv /opt/tiekit && pip install --no-cache-dir uv==0.13.9 && \
    uv export --quiet --frozen --no-emit-project --no-default-groups --extra app --extra excel --output-file locked.txt && \
    /opt/tiekit/bin/pip install --no-cache-dir --require-hashes -r locked.txt && \
    /opt/tiekit/bin/pip install --no-cache-dir --no-deps .
# The loops are compiled here, for any processor of this kind: the first visitor does not wait. Whole seconds as the time of
# the files, since Numba compares it and layers of an image may round it; Python compares it too, so it compiles them anew,
# here and not in each process that reads an upload.
ENV NUMBA_CPU_NAME=generic NUMBA_CACHE_DIR=/opt/loops
RUN find /opt/tiekit/lib -path '*/site-packages/tiekit/*.py' -exec touch -d 2026-01-01 {} + && \
    /opt/tiekit/bin/python -m compileall -q /opt/tiekit/lib/python*/site-packages/tiekit
RUN /opt/tiekit/bin/python -c "from tiekit import warm_up; warm_up.warm_up(); warm_up.warm_up_resampling()" && \
    /opt/tiekit/bin/python -W ignore -c "import tiekit as tk; tk.leaderboard(tk.load_wmt22(), progress=False)"

FROM docker.io/library/python:${PYTHON}-slim
RUN useradd --system --uid 10001 --create-home tiekit
COPY --from=build /opt/tiekit /opt/tiekit
# Numba reads compiled loops only from a folder that it could write to; nothing else belongs to the user.
COPY --from=build --chown=10001 /opt/loops /opt/loops
ENV PATH=/opt/tiekit/bin:$PATH NUMBA_CPU_NAME=generic NUMBA_CACHE_DIR=/opt/loops PYTHONDONTWRITEBYTECODE=1
USER 10001
WORKDIR /home/tiekit
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/health', timeout=4)"]
CMD ["tiekit", "app", "--host", "0.0.0.0", "--port", "8501", "--no-browser"]
