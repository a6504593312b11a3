// Draws each element that has data-chart, in the colours of the screen or the paper it is on.
(() => {
  'use strict';

  const LIGHT = {
    ink: '#1b1f24',
    soft: '#57606a',
    rule: '#d5dae0',
    paper: '#ffffff',
    own: '#0b6e64',
    other: '#8a97a6',
    // Told apart also by people who see few colours: Okabe and Ito, darkened for white paper.
    lines: ['#0b6e64', '#b4540a', '#2c5fa8', '#a8367c', '#6b6b00', '#5a4fb0', '#8f2d1f', '#3d4852'],
  };
  const DARK = {
    ink: '#e6e9ec',
    soft: '#a2abb5',
    rule: '#343b43',
    paper: '#14181d',
    own: '#5fd4c4',
    other: '#6f7c8a',
    lines: ['#5fd4c4', '#f0a35e', '#86b6f5', '#ee9ac8', '#d9d36a', '#b3a9f5', '#f08d7d', '#c3ccd6'],
  };
  const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
  const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond'];
  const DASHES = ['solid', 'dashed', 'dotted'];
  const PAPER_WIDTH = 660;
  const NARROW = 520;
  const NAME_HEIGHT = 14;

  const number = (value) => {
    if (value === 0) return '0';
    const digits = Math.max(0, Math.min(12, -Math.floor(Math.log10(Math.abs(value)))));
    return value.toLocaleString('en', { maximumFractionDigits: digits });
  };

  const short = (value) => value.toLocaleString('en', { notation: 'compact' });

  // The power of ten below the smallest value, so that its bar is seen.
  const floor = (values) => Math.pow(10, Math.floor(Math.log10(Math.min(...values) / 1.5)));

  const axis = (colours, name, more) => ({
    name,
    nameTextStyle: { color: colours.soft, fontFamily: FONT },
    axisLabel: { color: colours.soft, fontFamily: FONT, hideOverlap: true, formatter: number },
    axisLine: { show: true, lineStyle: { color: colours.rule } },
    axisTick: { lineStyle: { color: colours.rule } },
    splitLine: { lineStyle: { color: colours.rule } },
    minorSplitLine: { show: false },
    ...more,
  });

  const tooltip = (colours, formatter) => ({
    trigger: 'item',
    confine: true,
    backgroundColor: colours.paper,
    borderColor: colours.rule,
    textStyle: { color: colours.ink, fontFamily: FONT },
    formatter: (item) => {
      const text = document.createElement('span');
      text.textContent = formatter(item);
      return text;
    },
  });

  function bars(data, colours, width) {
    const narrow = width < NARROW;
    const longest = Math.max(...data.bars.map((bar) => bar.name.length));
    return {
      height: 28 * data.bars.length + 64,
      option: {
        grid: { left: 8, right: 84, top: 8, bottom: 44, containLabel: true },
        tooltip: tooltip(colours, (item) => data.bars[item.dataIndex].name + ': ' + data.bars[item.dataIndex].text),
        xAxis: axis(colours, data.title, {
          type: data.log ? 'log' : 'value',
          min: data.log ? floor(data.bars.map((bar) => bar.value)) : 0,
          nameLocation: 'middle',
          nameGap: 28,
          splitNumber: narrow ? 3 : 5,
        }),
        yAxis: {
          type: 'category',
          inverse: true,
          data: data.bars.map((bar) => bar.name),
          axisLabel: {
            color: colours.ink,
            fontFamily: FONT,
            interval: 0,
            width: narrow ? 140 : Math.min(320, 8 * longest),
            overflow: 'break',
            fontSize: narrow ? 11 : 12,
          },
          axisLine: { lineStyle: { color: colours.rule } },
          axisTick: { show: false },
        },
        series: [
          {
            type: 'bar',
            barWidth: '62%',
            data: data.bars.map((bar) => ({
              value: bar.value,
              itemStyle: { color: bar.own ? colours.own : colours.other },
            })),
            label: {
              show: true,
              position: 'right',
              color: colours.ink,
              fontFamily: FONT,
              formatter: (item) => data.bars[item.dataIndex].text,
            },
          },
        ],
      },
    };
  }

  function lines(data, colours, width) {
    const narrow = width < NARROW;
    const longest = Math.max(...data.lines.map((line) => line.name.length));
    const all = data.lines.flatMap((line) => line.points);
    const looks = (index) => ({
      color: colours.lines[index % colours.lines.length],
      symbol: SYMBOLS[index % SYMBOLS.length],
      dash: DASHES[Math.floor(index / colours.lines.length) % DASHES.length],
    });
    return {
      height: Math.max(narrow ? 380 : 440, 17 * data.lines.length + 90),
      option: {
        grid: {
          left: 8,
          right: Math.min(7 * longest + 16, narrow ? 128 : 220),
          top: 32,
          bottom: 44,
          containLabel: true,
        },
        tooltip: tooltip(
          colours,
          (item) => item.seriesName + ', ' + number(item.value[0]) + ' ' + data.number + ': ' + item.value[2],
        ),
        xAxis: axis(colours, data.number, {
          type: 'log',
          axisLabel: { color: colours.soft, fontFamily: FONT, hideOverlap: true, formatter: short },
          min: Math.min(...all.map((point) => point[0])),
          max: Math.max(...all.map((point) => point[0])),
          nameLocation: 'middle',
          nameGap: 28,
        }),
        yAxis: axis(colours, data.title, {
          type: 'log',
          min: floor(all.map((point) => point[1])),
          nameLocation: 'end',
          nameTextStyle: { color: colours.soft, fontFamily: FONT, align: 'left' },
        }),
        series: data.lines.map((line, index) => {
          const look = looks(index);
          return {
            type: 'line',
            name: line.name,
            data: named(line, 0),
            symbol: look.symbol,
            symbolSize: 8,
            clip: false,
            lineStyle: { color: look.color, type: look.dash, width: line.own ? 3.5 : 1.5 },
            itemStyle: { color: look.color },
            label: {
              position: 'right',
              formatter: line.name,
              color: look.color,
              fontFamily: FONT,
              fontSize: narrow ? 10 : 12,
              distance: 8,
              width: narrow ? 116 : 210,
              overflow: 'truncate',
            },
            emphasis: { focus: 'series' },
          };
        }),
      },
    };
  }

  // The points of a line, the last of which bears its name, moved down by some pixels.
  function named(line, down) {
    return line.points.map((point, at) => ({
      value: point,
      label: { show: at === line.points.length - 1, offset: [0, down] },
    }));
  }

  // Moves names apart that would lie on each other.
  function separate(item, height) {
    const names = item.data.lines
      .map((line, index) => {
        const [, y] = item.chart.convertToPixel({ seriesIndex: index }, line.points.at(-1).slice(0, 2));
        return { index, y, at: y };
      })
      .sort((a, b) => a.y - b.y);
    // Names that would touch become a block around the middle of their points; blocks that touch, one.
    const blocks = [];
    names.forEach((name) => {
      let block = { names: [name], middle: name.y };
      const half = (one) => (one.names.length * NAME_HEIGHT) / 2;
      while (blocks.length > 0 && blocks.at(-1).middle + half(blocks.at(-1)) > block.middle - half(block)) {
        const joined = [...blocks.pop().names, ...block.names];
        block = { names: joined, middle: joined.reduce((sum, one) => sum + one.y, 0) / joined.length };
        block.middle = Math.min(Math.max(block.middle, half(block)), height - half(block));
      }
      blocks.push(block);
    });
    blocks.forEach((block) => {
      block.names.forEach((name, i) => {
        name.at = block.middle + (i - (block.names.length - 1) / 2) * NAME_HEIGHT;
      });
    });
    const series = item.data.lines.map(() => ({}));
    names.forEach((name) => {
      series[name.index] = { data: named(item.data.lines[name.index], name.at - name.y) };
    });
    item.chart.setOption({ series });
  }

  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const charts = [...document.querySelectorAll('[data-chart]')].map((element) => ({
    element,
    data: JSON.parse(element.dataset.chart),
    chart: null,
    width: 0,
  }));

  function draw(item, printing) {
    const colours = !printing && dark.matches ? DARK : LIGHT;
    const width = printing ? PAPER_WIDTH : item.element.clientWidth;
    const { height, option } = (item.data.kind === 'line' ? lines : bars)(item.data, colours, width);
    item.element.style.height = height + 'px';
    item.chart ??= echarts.init(item.element, null, { renderer: 'svg', width, height });
    item.width = width;
    item.chart.resize({ width, height });
    item.chart.setOption({ animation: false, backgroundColor: 'transparent', ...option }, true);
    if (item.data.kind === 'line') separate(item, height);
  }

  const drawAll = (printing) => charts.forEach((item) => draw(item, printing));

  drawAll(false);
  dark.addEventListener('change', () => drawAll(false));
  window.addEventListener('beforeprint', () => drawAll(true));
  window.addEventListener('afterprint', () => drawAll(false));
  window.addEventListener('resize', () => {
    charts.filter((item) => item.element.clientWidth !== item.width).forEach((item) => draw(item, false));
  });
})();
