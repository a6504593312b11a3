;; The programs of the lab in Scheme: Gambit's threads, each of which has a mailbox.

(declare (standard-bindings) (extended-bindings) (block))

(include "measure.scm")
(include "spawn.scm")
(include "tasks.scm")
(include "ring.scm")
(include "pipeline.scm")
(include "pingpong.scm")
(include "fanin.scm")
(include "skynet.scm")
(include "startup.scm")

(define experiments
  (list (cons "spawn" spawn) (cons "tasks" tasks) (cons "ring" ring) (cons "pipeline" pipeline)
        (cons "pingpong" pingpong) (cons "fanin" fanin) (cons "skynet" skynet)
        (cons "startup" startup)))

(define (main words)
  (let ((experiment (and (pair? words) (assoc (car words) experiments))))
    (if (not experiment)
        (bad-argument "say which experiment to run: spawn, tasks, ring, pipeline, pingpong, fanin, skynet or startup"))
    (let ((metrics ((cdr experiment) (map argument (cdr words)))))
      (print "{\"metrics\":{")
      (let loop ((metrics metrics) (separator ""))
        (if (pair? metrics)
            (begin
              (print separator "\"" (car metrics) "\":" (json-number (cadr metrics)))
              (loop (cddr metrics) ","))))
      (println "},\"runtime_version\":\"Gambit " (system-version-string) "\"}"))))

(main (cdr (command-line)))
(exit 0)
